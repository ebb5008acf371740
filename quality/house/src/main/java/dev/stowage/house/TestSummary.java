package dev.stowage.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;

/**
 * How many tests of a build ran, and how many were skipped for which reasons.
 *
 * <p>The message of a skipped test is {@code needs} and the missing program or file, with the
 * remedy in parentheses. Details follow after a colon. Messages with the same beginning are one
 * reason.
 */
final class TestSummary {

  private static final String NEEDS = "needs ";

  private final Map<String, Integer> skippedByReason = new TreeMap<>();
  private int ranCount;

  /**
   * Prints the summary.
   *
   * @param args the root of the project, and the start of the build in the format of {@link
   *     Instant}
   */
  public static void main(String[] args) throws IOException, XMLStreamException {
    System.out.println(of(Path.of(args[0]), Instant.parse(args[1])).line());
  }

  /**
   * {@return the summary of a build}
   *
   * @param root the folder of the modules, which are at most two levels deep
   * @param start the start of the build; older reports belong to earlier builds
   */
  static TestSummary of(Path root, Instant start) throws IOException, XMLStreamException {
    TestSummary summary = new TestSummary();
    for (Path report : reports(root)) {
      if (!Files.getLastModifiedTime(report).toInstant().isBefore(start)) {
        TestReport.skipMessages(report).forEach(summary::add);
      }
    }
    return summary;
  }

  private static List<Path> reports(Path root) throws IOException {
    List<Path> folders;
    try (Stream<Path> modules = Files.walk(root, 2)) {
      folders =
          modules
              .map(module -> module.resolve("target/surefire-reports"))
              .filter(Files::isDirectory)
              .toList();
    }
    List<Path> reports = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
            .forEach(reports::add);
      }
    }
    return reports;
  }

  private void add(Optional<String> skipMessage) {
    skipMessage.ifPresentOrElse(
        message -> skippedByReason.merge(reason(message), 1, Integer::sum), () -> ranCount++);
  }

  private static String reason(String message) {
    return message.startsWith(NEEDS) ? message.split(": ", 2)[0] : message;
  }

  /** {@return the summary as one line, with the most frequent reason first} */
  String line() {
    int skipped = skippedByReason.values().stream().mapToInt(Integer::intValue).sum();
    String ran = String.format(Locale.ROOT, "Tests: %,d run, ", ranCount);
    if (skipped == 0) {
      return ran + "none skipped";
    }
    return skippedByReason.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(reason -> text(reason.getKey(), reason.getValue()))
        .collect(
            Collectors.joining(
                ", ", ran + String.format(Locale.ROOT, "%,d skipped: ", skipped), ""));
  }

  private static String text(String reason, int count) {
    if (!reason.startsWith(NEEDS)) {
      return String.format(Locale.ROOT, "%,d because of \"%s\"", count, reason);
    }
    String needed = reason.substring(NEEDS.length());
    return String.format(Locale.ROOT, "%,d %s %s", count, count == 1 ? "needs" : "need", needed);
  }
}
