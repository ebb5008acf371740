package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ProblemWriter;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.PlanDrawing;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The files for the best offsets plan of a report. The report must have an offsets plan. */
public final class PlanFiles {

  /**
   * CSV, which has no graphs.
   *
   * @param isUnpinned true to write no offsets
   */
  private record Csv(boolean isUnpinned) implements ReportFile.Format<PlanReport> {

    @Override
    public void write(PlanReport report, Writer out) throws IOException {
      PlanInput.Tensors input = input(report);
      ProblemWriter.writeCsv(input, offsets(report, isUnpinned), input.banks().ties(), out);
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
            (report, out) -> writeJson(report, isUnpinned, out),
            "html",
            page,
            "svg",
            (report, out) -> out.write(PlanDrawing.of(report.picture(OptionalLong.empty()))),
            "h",
            (report, out) -> PlanHeader.write(input(report), best(report), out)));
  }

  /** Writes a problem with its own capacity, or with offsets and their total as the capacity. */
  private static void writeJson(PlanReport report, boolean isUnpinned, Writer out)
      throws IOException {
    PlanInput.Tensors input = input(report);
    OptionalLong capacity =
        isUnpinned ? input.file().capacity() : OptionalLong.of(best(report).totalBytes());
    ProblemWriter.writeJson(
        input, capacity, offsets(report, isUnpinned), input.banks().ties(), out);
  }

  private static Optional<long[]> offsets(PlanReport report, boolean isUnpinned) {
    return isUnpinned ? Optional.empty() : Optional.of(best(report).assignment().offsets());
  }

  private static PlanInput.Tensors input(PlanReport report) {
    return (PlanInput.Tensors) report.input();
  }

  private static Plan.Offsets best(PlanReport report) {
    return report.bestOffsets().orElseThrow();
  }
}
