package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ProblemWriter;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.PlanDrawing;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The files for the best offsets plan of a report. */
public final class PlanFiles {

  private PlanFiles() {}

  /**
   * {@return the contents of the files by their extensions}
   *
   * <p>Problems have their own capacity; plans have the total of their offsets.
   *
   * @param report a report with an offsets plan
   * @param isUnpinned true for .csv and .json without offsets
   * @param page writes a page
   */
  public static Map<String, WholeFile.Content> of(
      PlanReport report, boolean isUnpinned, WholeFile.Content page) {
    PlanInput.Tensors input = (PlanInput.Tensors) report.input();
    Plan.Offsets best = report.bestOffsets().orElseThrow();
    Map<Integer, String> banks = input.banks().ties();
    Optional<long[]> offsets =
        isUnpinned ? Optional.empty() : Optional.of(best.assignment().offsets());
    OptionalLong capacity =
        isUnpinned ? input.file().capacity() : OptionalLong.of(best.totalBytes());
    return Map.of(
        ".csv", out -> ProblemWriter.writeCsv(input, offsets, banks, out),
        ".json", out -> ProblemWriter.writeJson(input, capacity, offsets, banks, out),
        ".html", page,
        ".svg", out -> out.write(PlanDrawing.of(report.picture(OptionalLong.empty()))),
        ".h", out -> PlanHeader.write(input, best, out));
  }
}
