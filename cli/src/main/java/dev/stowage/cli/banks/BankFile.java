package dev.stowage.cli.banks;

import dev.stowage.cli.output.ProblemCsvWriter;
import dev.stowage.cli.output.ProblemJsonWriter;
import dev.stowage.cli.output.WholeFile;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Optional;

/** A file with the cheapest plan in several banks, written completely or not at all. */
public final class BankFile {

  /** A format of plans. */
  private interface Format {
    void write(BankReport report, BankPlan best, Writer out) throws IOException;
  }

  private final WholeFile file;
  private final Format format;

  private BankFile(String path, Format format) {
    file = new WholeFile(path);
    this.format = format;
  }

  /**
   * {@return a file, or empty if its extension is not .csv, .json or .html}
   *
   * @param path the path
   */
  public static Optional<BankFile> of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return Optional.of(
          new BankFile(
              path,
              (report, best, out) ->
                  ProblemCsvWriter.write(
                      report.input(), best.assignment().offsets(), report.bankNames(best), out)));
    }
    if (name.endsWith(".json")) {
      return Optional.of(
          new BankFile(
              path,
              (report, best, out) ->
                  ProblemJsonWriter.write(
                      report.input(), best.assignment().offsets(), report.bankNames(best), out)));
    }
    return name.endsWith(".html")
        ? Optional.of(new BankFile(path, BankPage::write))
        : Optional.empty();
  }

  /** {@return the path} */
  public String path() {
    return file.path();
  }

  /**
   * Writes the cheapest plan of a report, which must have one.
   *
   * @param report the plans
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public void write(BankReport report) throws IOException {
    file.write(out -> format.write(report, report.best().orElseThrow(), out));
  }
}
