package dev.stowage.cli.run;

import dev.stowage.cli.output.PlanReportFile;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.RunFacts;
import dev.stowage.console.ExitCode;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The page of several planned inputs. */
public final class PlanPages implements Closeable, EachFile.Listener {

  private final PlanReportFile file;
  private final CommandSpec spec;
  private final Function<PlanReport, RunFacts> facts;
  private int endedCount;
  private boolean isBroken;

  /**
   * @param path the path as on the command line
   * @param inputCount the number of inputs
   * @param facts returns the facts of the run on a report
   */
  public PlanPages(
      String path, int inputCount, Function<PlanReport, RunFacts> facts, CommandSpec spec) {
    file = new PlanReportFile(path, inputCount);
    this.facts = facts;
    this.spec = spec;
  }

  /** {@return the outputs of inputs of one shape} */
  public OutputFiles<PlanReport> plans() {
    return OutputFiles.together(report -> add(() -> file.add(report, facts.apply(report))), spec);
  }

  /** {@return the outputs of inputs of several shapes} */
  public OutputFiles<ShapesReport> shapes() {
    return OutputFiles.together(report -> add(() -> file.add(report)), spec);
  }

  private int add(Diagnostics.Writing addition) {
    if (isBroken) {
      return ExitCode.FAILED;
    }
    try {
      addition.run();
      return ExitCode.DONE;
    } catch (IOException e) {
      isBroken = true;
      return diagnostics().reportUnwritten(file.path(), e);
    }
  }

  @Override
  public void failed(String input, String reason) {
    file.addFailure(input, reason);
  }

  /** Adds a row for an input that has neither a page nor a failure. */
  @Override
  public void finished(String input, int exitCode) {
    endedCount++;
    if (file.rowCount() < endedCount) {
      file.addFailure(input, "has no plan of offsets in one arena");
    }
  }

  /** Completes the page if it has an input, and {@return the exit code} */
  public int complete() {
    if (isBroken || !file.isBegun()) {
      return ExitCode.DONE;
    }
    RunFacts run = RunFacts.none().withFacts(CommandFacts.of(spec));
    return diagnostics().write(file.path(), () -> file.complete(run));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }
}
