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

/** A file with the best offsets plan, written completely or not at all. */
public final class PlanFile {

  /** A format of plans. */
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
   * {@return a file, or empty if its extension is not .csv, .json, .html, .svg or .h}
   *
   * @param path the path
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
    if (name.endsWith(".h")) {
      return Optional.of(
          new PlanFile(path, (report, input, best, out) -> PlanHeader.write(input, best, out)));
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

  /** {@return the path} */
  public String path() {
    return file.path();
  }

  /**
   * {@return a sentence on the parts of the problem that the file cannot contain; empty if it
   * contains all of them or is a picture}
   *
   * @param report the plans
   */
  public Optional<String> omission(PlanReport report) {
    return file.path().toLowerCase(Locale.ROOT).endsWith(".csv")
            && report.input() instanceof PlanInput.Tensors tensors
            && tensors.problem().reuseGraph().isPresent()
        ? Optional.of("CSV cannot contain the graph of the problem; use a .json file to keep it")
        : Optional.empty();
  }

  /**
   * Writes the best offsets plan of a report, which must have one.
   *
   * <p>If the path is a link, its target is replaced, and the link stays.
   *
   * @param report the plans
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public void write(PlanReport report) throws IOException {
    PlanInput.Tensors input = (PlanInput.Tensors) report.input();
    file.write(out -> format.write(report, input, report.bestOffsets().orElseThrow(), out));
  }
}
