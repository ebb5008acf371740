package dev.stowage.cli.banks;

import dev.stowage.cli.input.ProblemWriter;
import dev.stowage.cli.output.ReportFile;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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
                ProblemWriter.writeCsv(report.input(), offsets(report), report.bankNames(), out),
            "json",
            (report, out) ->
                ProblemWriter.writeJson(
                    report.input(), OptionalLong.empty(), offsets(report), report.bankNames(), out),
            "html",
            page,
            "h",
            BankHeader::write));
  }

  private static Optional<long[]> offsets(BankReport report) {
    return Optional.of(report.plan().assignment().offsets());
  }
}
