package dev.stowage.cli.run;

import dev.stowage.cli.output.PlanReportFile;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The page of several planned inputs. */
public final class PlanPages implements Closeable, EachFile.Listener {

  private final IndexedPage<PlanReportFile> page;
  private final CommandSpec spec;
  private final Function<PlanReport, RunFacts> facts;
  private int endedCount;

  /**
   * @param path the path as on the command line
   * @param inputCount the number of inputs
   * @param facts returns the facts of the run on a report
   */
  public PlanPages(
      String path, int inputCount, Function<PlanReport, RunFacts> facts, CommandSpec spec) {
    page = new IndexedPage<>(new PlanReportFile(path, inputCount), spec);
    this.facts = facts;
    this.spec = spec;
  }

  /** {@return the outputs of inputs of one shape} */
  public OutputFiles<PlanReport> plans() {
    return OutputFiles.together(
        report -> page.add(file -> file.add(report, facts.apply(report))), spec);
  }

  /** {@return the outputs of inputs of several shapes} */
  public OutputFiles<ShapesReport> shapes() {
    return OutputFiles.together(report -> page.add(file -> file.add(report)), spec);
  }

  @Override
  public void failed(String input, String reason) {
    page.failed(input, reason);
  }

  /** Adds a row for an input that has neither a page nor a failure. */
  @Override
  public void finished(String input, int exitCode) {
    endedCount++;
    if (page.rowCount() < endedCount) {
      page.failed(input, "has no plan of offsets in one arena");
    }
  }

  /** Completes the page if it has an input, and {@return the exit code} */
  public int complete() {
    return page.complete();
  }

  @Override
  public void close() throws IOException {
    page.close();
  }
}
