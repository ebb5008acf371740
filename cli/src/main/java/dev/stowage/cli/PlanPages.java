package dev.stowage.cli;

import dev.stowage.cli.output.PagesFile;
import dev.stowage.cli.picture.PlanIndex;
import dev.stowage.cli.picture.PlanPicture;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The page of several planned inputs. */
final class PlanPages implements Closeable, EachFile.Listener {

  private final PagesFile file;
  private final CommandSpec spec;
  private final Function<PlanReport, RunFacts> facts;
  private final PlanIndex index = new PlanIndex();
  private int endedCount;
  private boolean isBroken;

  /**
   * @param path the path as on the command line
   * @param inputCount the number of inputs
   * @param facts returns the facts of the run on a report
   */
  PlanPages(String path, int inputCount, Function<PlanReport, RunFacts> facts, CommandSpec spec) {
    file = new PagesFile(path, "Memory of " + Numbers.count(inputCount, "input"), "Planned");
    this.facts = facts;
    this.spec = spec;
  }

  /** {@return the outputs of inputs of one shape} */
  OutputFiles<PlanReport> plans() {
    return OutputFiles.together(
        report -> {
          RunFacts run = facts.apply(report);
          return add(
              page -> page.add(PlanPicture.of(report).withRun(run)),
              address -> index.add(report, address, run.capacityBytes()));
        },
        spec);
  }

  /** {@return the outputs of inputs of several shapes} */
  OutputFiles<ShapesReport> shapes() {
    return OutputFiles.together(
        report -> add(page -> page.add(report), address -> index.add(report, address)), spec);
  }

  private interface Row {
    void add(String address);
  }

  private int add(PagesFile.Addition input, Row row) {
    if (isBroken) {
      return ExitCode.FAILED;
    }
    try {
      row.add(file.add(input));
      return ExitCode.DONE;
    } catch (IOException e) {
      isBroken = true;
      return diagnostics().reportUnwritten(file.path(), e);
    }
  }

  @Override
  public void failed(String input, String reason) {
    index.addFailure(input, reason);
  }

  /** Adds a row for an input that has neither a page nor a failure. */
  @Override
  public void finished(String input, int exitCode) {
    endedCount++;
    if (index.table().rowCount() < endedCount) {
      index.addFailure(input, "has no plan of offsets in one arena");
    }
  }

  /** Completes the page if it has an input, and {@return the exit code} */
  int complete() {
    if (isBroken || !file.isBegun()) {
      return ExitCode.DONE;
    }
    try {
      file.complete(index.table(), RunFacts.none().withFacts(CommandFacts.of(spec)));
      diagnostics().report("wrote " + file.path());
      return ExitCode.DONE;
    } catch (IOException e) {
      return diagnostics().reportUnwritten(file.path(), e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }
}
