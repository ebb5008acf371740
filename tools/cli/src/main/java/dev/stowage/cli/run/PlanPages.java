package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.IndexedPage;
import dev.stowage.cli.picture.PlanIndex;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The page of several planned inputs. */
public final class PlanPages implements Closeable, EachFile.Listener {

  private final PlanIndex index;
  private final IndexedPage page;
  private final CommandSpec spec;
  private final Function<PlanReport, RunFacts> facts;
  private int endedCount;

  /**
   * @param facts returns the facts of the run on plans
   */
  public PlanPages(
      String path, int inputCount, Function<PlanReport, RunFacts> facts, CommandSpec spec) {
    index = new PlanIndex(new PlanConclusions(spec).options().words());
    page = new IndexedPage(path, "Memory of " + Numbers.count(inputCount, "input"), "Planned");
    this.facts = facts;
    this.spec = spec;
  }

  /** {@return the outputs of the inputs} */
  public OutputFiles<PlanReport> plans() {
    return OutputFiles.together(this::add, spec);
  }

  private int add(PlanReport report) {
    try {
      page.add(all -> index.add(report, facts.apply(report), all));
      return ExitCode.DONE;
    } catch (IOException e) {
      return Diagnostics.of(spec).reportUnwritten(page.path(), e);
    }
  }

  @Override
  public void failed(String input, String reason) {
    index.table().addFailure(input, reason);
  }

  /** Adds a row for an input that has neither a page nor a failure. */
  @Override
  public void finished(String input, int exitCode) {
    endedCount++;
    if (index.table().rowCount() < endedCount) {
      failed(input, "has no plan of offsets in one arena");
    }
  }

  /** Completes the page if it has an input, and {@return the exit code} */
  public int complete() {
    if (!page.isBegun()) {
      return ExitCode.DONE;
    }
    RunFacts facts = CommandFacts.run(spec);
    RunFacts run = index.conclusion().map(facts::withConclusion).orElse(facts);
    return Diagnostics.of(spec)
        .write(page.path(), () -> page.complete(all -> all.end(index.table(), run)));
  }

  @Override
  public void close() throws IOException {
    page.close();
  }
}
