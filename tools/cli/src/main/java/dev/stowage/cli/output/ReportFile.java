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
public final class ReportFile<R> {

  /**
   * A format of a report.
   *
   * @param <R> the report
   */
  public interface Format<R> {

    /** Writes a report. */
    void write(R report, Writer out) throws IOException;

    /**
     * {@return a sentence on the parts of a report that the format cannot contain; empty if it
     * contains all of them}
     */
    default Optional<String> omission(R report) {
      return Optional.empty();
    }
  }

  private final WholeFile file;
  private final Format<R> format;

  private ReportFile(String path, Format<R> format) {
    file = new WholeFile(path);
    this.format = format;
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

  public String path() {
    return file.path();
  }

  /**
   * {@return a sentence on the parts of a report that the file cannot contain; empty if it contains
   * all of them}
   */
  public Optional<String> omission(R report) {
    return format.omission(report);
  }

  /**
   * Writes the report.
   *
   * <p>If the path is a link, its target is replaced, and the link stays.
   *
   * @param report the report, with all that the format needs
   */
  public void write(R report) throws IOException {
    file.write(out -> format.write(report, out));
  }
}
