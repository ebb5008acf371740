package dev.stowage.cli.banks;

import dev.stowage.cli.output.ProblemCsvWriter;
import dev.stowage.cli.output.ProblemJsonWriter;
import dev.stowage.cli.output.ReportFile;
import dev.stowage.pages.text.RunFacts;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The files for the cheapest plan of a report, which must have one. */
public final class BankFiles {

  private static Map<String, ReportFile.Format<BankReport>> formats(
      Function<BankReport, RunFacts> facts) {
    return Map.of(
        "csv",
        (report, out) -> {
          BankPlan best = best(report);
          ProblemCsvWriter.write(
              report.input(), best.assignment().offsets(), report.bankNames(best), out);
        },
        "json",
        (report, out) -> {
          BankPlan best = best(report);
          ProblemJsonWriter.write(
              report.input(), best.assignment().offsets(), report.bankNames(best), out);
        },
        "html",
        (report, out) -> BankPage.of(report, best(report), facts.apply(report)).write(out),
        "h",
        (report, out) -> BankHeader.write(report, best(report), out));
  }

  private BankFiles() {}

  /**
   * {@return a file, or empty if its extension is not .csv, .json, .html or .h}
   *
   * @param facts returns the facts of the run on a report, for a page
   */
  public static Optional<ReportFile<BankReport>> of(
      String path, Function<BankReport, RunFacts> facts) {
    return ReportFile.of(path, formats(facts));
  }

  private static BankPlan best(BankReport report) {
    return report.best().orElseThrow();
  }
}
