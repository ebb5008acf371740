package dev.stowage.cli.banks;

import dev.stowage.cli.output.ProblemCsvWriter;
import dev.stowage.cli.output.ProblemJsonWriter;
import dev.stowage.cli.output.ReportFile;
import java.util.Map;
import java.util.Optional;

/** The files for the plan of a report. */
public final class BankFiles {

  private BankFiles() {}

  /**
   * {@return a file, or empty if its extension is not .csv, .json, .html or .h}
   *
   * @param page writes a page
   */
  public static Optional<ReportFile<BankReport>> of(
      String path, ReportFile.Format<BankReport> page) {
    return ReportFile.of(
        path,
        Map.of(
            "csv",
            (report, out) ->
                ProblemCsvWriter.write(
                    report.input(), report.plan().assignment().offsets(), report.bankNames(), out),
            "json",
            (report, out) ->
                ProblemJsonWriter.write(
                    report.input(), report.plan().assignment().offsets(), report.bankNames(), out),
            "html",
            page,
            "h",
            BankHeader::write));
  }
}
