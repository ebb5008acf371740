package dev.stowage.cli.banks;

import dev.stowage.cli.output.ProblemCsvWriter;
import dev.stowage.cli.output.ProblemJsonWriter;
import dev.stowage.cli.output.ReportFile;
import dev.stowage.pages.text.RunFacts;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The files for the plan of a report. */
public final class BankFiles {

  private BankFiles() {}

  /**
   * {@return a file, or empty if its extension is not .csv, .json, .html or .h}
   *
   * @param facts returns the facts of the run on a report, for a page
   */
  public static Optional<ReportFile<BankReport>> of(
      String path, Function<BankReport, RunFacts> facts) {
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
            (report, out) -> BankPage.of(report, facts.apply(report)).write(out),
            "h",
            BankHeader::write));
  }
}
