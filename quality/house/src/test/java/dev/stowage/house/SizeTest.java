package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The size of the house. The file {@code size.txt} has the figures of the day: for each part, the
 * lines of main Java and JavaScript in its folders; the lines of all tests; the words of all
 * guides.
 */
class SizeTest {

  /** A part fails if it is larger than its figure by more than this. */
  private static final long TOLERANCE = 500;

  /** A figure that is larger than its part by this may be lowered. */
  private static final long WORTH_LOWERING = 100;

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));
  private static final Path FIGURES = ROOT.resolve("quality/house/src/test/resources/size.txt");

  private static final Pattern SOURCE = Pattern.compile(".*/src/main/.*\\.(java|js)");
  private static final Pattern TEST = Pattern.compile(".*/src/test/.*\\.(java|js)");
  private static final Pattern GUIDE = Pattern.compile(".*\\.md");

  /** A line of the file: {@code allocator memory: 25010}. */
  record Part(String name, long figure) {

    static Part of(String line) {
      String[] parts = line.split(": *", 2);
      return new Part(parts[0], Long.parseLong(parts[1]));
    }

    long size() {
      return switch (name) {
        case "tests" -> sum(ROOT, TEST, SizeTest::lines);
        case "words of guides" ->
            sum(ROOT.resolve("docs"), GUIDE, SizeTest::words) + words(ROOT.resolve("README.md"));
        default ->
            Stream.of(name.split(" "))
                .mapToLong(folder -> sum(ROOT.resolve(folder), SOURCE, SizeTest::lines))
                .sum();
      };
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Part> parts() throws IOException {
    return Files.readAllLines(FIGURES).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(Part::of)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("parts")
  void size_ofAPart_isAtMostItsFigure(Part part) {
    long size = part.size();
    if (size <= part.figure() - WORTH_LOWERING) {
      System.out.printf(
          Locale.ROOT,
          "size.txt: the figure of '%s' may be lowered from %d to %d%n",
          part.name(),
          part.figure(),
          size);
    }
    assertThat(size)
        .as(
            "'%s': size.txt has the figure %d; a larger one needs a line in CHANGELOG.md",
            part.name(), part.figure())
        .isLessThanOrEqualTo(part.figure() + TOLERANCE);
  }

  @Test
  void architecture_isOnePage() {
    assertThat(lines(ROOT.resolve("ARCHITECTURE.md"))).isLessThanOrEqualTo(150);
  }

  /** {@return the sum over the files of a folder whose path matches, except build outputs} */
  private static long sum(Path folder, Pattern pattern, ToLongFunction<Path> count) {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
              return visited.endsWith("target") || visited.endsWith(".git")
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (pattern.matcher(file.toString()).matches()) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.stream().mapToLong(count).sum();
  }

  private static long lines(Path file) {
    return text(file).lines().count();
  }

  private static long words(Path file) {
    return text(file).strip().split("\\s+").length;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
