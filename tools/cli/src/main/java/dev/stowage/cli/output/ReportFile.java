package dev.stowage.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A file with a report, written completely or not at all.
 *
 * @param <R> the report
 */
public record ReportFile<R>(String path, Format<R> format) {

  /**
   * A format of a report.
   *
   * @param <R> the report
   */
  public interface Format<R> {

    /** Writes a report. */
    void write(R report, Writer out) throws IOException;

    /** {@return a sentence on the content that the format omits; empty if it omits nothing} */
    default Optional<String> omission(R report) {
      return Optional.empty();
    }
  }

  /**
   * {@return a file in the format of its extension, or empty if there is none}
   *
   * @param formats the formats by their extensions, such as {@code csv}
   * @param <R> the report
   */
  public static <R> Optional<ReportFile<R>> of(String path, Map<String, Format<R>> formats) {
    String name = path.toLowerCase(Locale.ROOT);
    return formats.entrySet().stream()
        .filter(format -> name.endsWith("." + format.getKey()))
        .map(format -> new ReportFile<>(path, format.getValue()))
        .findFirst();
  }

  /**
   * Writes the report.
   *
   * <p>If the path is a link, its target is replaced, and the link stays.
   */
  public void write(R report) throws IOException {
    new WholeFile(path).write(out -> format.write(report, out));
  }
}
