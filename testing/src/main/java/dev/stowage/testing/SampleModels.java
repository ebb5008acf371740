package dev.stowage.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Models for tests: the project's examples, and a larger set that not every machine has. */
public final class SampleModels {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path DATA = ROOT.resolve("../shared/data").normalize();

  private SampleModels() {}

  /** {@return the folder of the project's examples} */
  public static Path examples() {
    return ROOT.resolve("examples");
  }

  /**
   * {@return a folder of the larger set; the test is skipped if it does not exist}
   *
   * @param kind the folder, such as {@code models/onnx}
   */
  public static Path folder(String kind) {
    Path folder = DATA.resolve(kind);
    assumeTrue(Files.isDirectory(folder), "skipped: there are no models in " + folder);
    return folder;
  }

  /**
   * {@return the models in a folder, sorted by name; none if the folder does not exist}
   *
   * @param folder any folder
   * @param extension the end of the file names, such as {@code .onnx}
   */
  public static List<Path> in(Path folder, String extension) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(extension)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * {@return the examples and the models in folders of the larger set}
   *
   * @param extension the end of the file names, such as {@code .onnx}
   * @param kinds the folders, such as {@code models/onnx}; folders that do not exist are skipped
   */
  public static List<Path> all(String extension, String... kinds) {
    return Stream.concat(Stream.of(examples()), Arrays.stream(kinds).map(DATA::resolve))
        .flatMap(folder -> in(folder, extension).stream())
        .toList();
  }
}
