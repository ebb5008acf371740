package dev.stowage.cli.banks;

import dev.stowage.cli.output.ProblemCsvWriter;
import dev.stowage.cli.output.ProblemJsonWriter;
import dev.stowage.cli.output.ReportFile;
import java.util.Map;
import java.util.Optional;

/** The files for the cheapest plan of a report, which must have one. */
public final class BankFiles {

  private static final Map<String, ReportFile.Format<BankReport>> FORMATS =
      Map.of(
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
          (report, out) -> BankPage.write(report, best(report), out),
          "h",
          (report, out) -> BankHeader.write(report, best(report), out));

  private BankFiles() {}

  /** {@return a file, or empty if its extension is not .csv, .json, .html or .h} */
  public static Optional<ReportFile<BankReport>> of(String path) {
    return ReportFile.of(path, FORMATS);
  }

  private static BankPlan best(BankReport report) {
    return report.best().orElseThrow();
  }
}
