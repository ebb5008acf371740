package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.picture.Pictures;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.PlanDrawing;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.Optional;

/** The files for the best offsets plan of a report, which must have one. */
public final class PlanFiles {

  /** CSV, which has no graphs. */
  private static final class Csv implements ReportFile.Format<PlanReport> {

    private final boolean isUnpinned;

    Csv(boolean isUnpinned) {
      this.isUnpinned = isUnpinned;
    }

    @Override
    public void write(PlanReport report, Writer out) throws IOException {
      if (isUnpinned) {
        ProblemCsvWriter.writeUnpinned(input(report), out);
      } else {
        ProblemCsvWriter.write(input(report), best(report), out);
      }
    }

    @Override
    public Optional<String> omission(PlanReport report) {
      return report.input() instanceof PlanInput.Tensors tensors
              && tensors.problem().reuseGraph().isPresent()
          ? Optional.of("CSV cannot contain the graph of the problem; use a .json file to keep it")
          : Optional.empty();
    }
  }

  private PlanFiles() {}

  /**
   * {@return a file, or empty if its extension is not .csv, .json, .html, .svg or .h}
   *
   * @param isUnpinned true for .csv and .json without offsets
   * @param page writes a page
   */
  public static Optional<ReportFile<PlanReport>> of(
      String path, boolean isUnpinned, ReportFile.Format<PlanReport> page) {
    return ReportFile.of(
        path,
        Map.of(
            "csv",
            new Csv(isUnpinned),
            "json",
            isUnpinned
                ? (report, out) -> ProblemJsonWriter.writeUnpinned(input(report), out)
                : (report, out) -> ProblemJsonWriter.write(input(report), best(report), out),
            "html",
            page,
            "svg",
            (report, out) -> out.write(PlanDrawing.of(Pictures.of(report))),
            "h",
            (report, out) -> PlanHeader.write(input(report), best(report), out)));
  }

  private static PlanInput.Tensors input(PlanReport report) {
    return (PlanInput.Tensors) report.input();
  }

  private static Plan.Offsets best(PlanReport report) {
    return report.bestOffsets().orElseThrow();
  }
}
