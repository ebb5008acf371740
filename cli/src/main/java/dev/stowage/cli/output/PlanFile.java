package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.picture.PlanDrawing;
import dev.stowage.cli.picture.PlanPage;
import dev.stowage.cli.picture.PlanPicture;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** A file that the best offsets plan is written to, whole or not at all. */
public final class PlanFile {

  /** Writes a plan in one format. */
  private interface Format {
    void write(PlanReport report, PlanInput.Tensors input, Plan.Offsets best, Writer out)
        throws IOException;
  }

  private final WholeFile file;
  private final Format format;

  private PlanFile(String path, Format format) {
    file = new WholeFile(path);
    this.format = format;
  }

  /**
   * {@return the file of a path, empty if its ending is none of .csv, .json, .html and .svg}
   *
   * @param path where to write
   */
  public static Optional<PlanFile> of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return Optional.of(
          new PlanFile(
              path, (report, input, best, out) -> ProblemCsvWriter.write(input, best, out)));
    }
    if (name.endsWith(".json")) {
      return Optional.of(
          new PlanFile(
              path, (report, input, best, out) -> ProblemJsonWriter.write(input, best, out)));
    }
    if (name.endsWith(".html")) {
      return Optional.of(
          new PlanFile(
              path, (report, input, best, out) -> PlanPage.write(picture(report, input), out)));
    }
    if (name.endsWith(".svg")) {
      return Optional.of(
          new PlanFile(
              path, (report, input, best, out) -> PlanDrawing.write(picture(report, input), out)));
    }
    return Optional.empty();
  }

  private static PlanPicture picture(PlanReport report, PlanInput.Tensors input) {
    Path name = Path.of(input.file().path()).getFileName();
    return new PlanPicture(
        String.valueOf(name),
        input.labels(),
        input.problem(),
        report.bounds().orElseThrow(),
        report.offsetsPlans());
  }

  /** {@return where the plan is written to} */
  public String path() {
    return file.path();
  }

  /**
   * {@return a sentence about the parts of the problem that the file cannot hold; empty if it holds
   * all of them, or is a picture}
   *
   * @param report the plans
   */
  public Optional<String> omission(PlanReport report) {
    return file.path().toLowerCase(Locale.ROOT).endsWith(".csv")
            && report.input() instanceof PlanInput.Tensors tensors
            && tensors.problem().reuseGraph().isPresent()
        ? Optional.of("CSV cannot hold the graph of the problem; a .json file can")
        : Optional.empty();
  }

  /**
   * Writes the best offsets plan of a report, which must have one.
   *
   * <p>A link is followed: what it leads to is replaced, not the link.
   *
   * @param report the plans
   * @throws IOException if it cannot be written; what was there before is then untouched
   */
  public void write(PlanReport report) throws IOException {
    PlanInput.Tensors input = (PlanInput.Tensors) report.input();
    file.write(out -> format.write(report, input, report.bestOffsets().orElseThrow(), out));
  }
}
