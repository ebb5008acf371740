package dev.stowage.cli.output;

import dev.stowage.cli.picture.Pictures;
import dev.stowage.cli.picture.PlanIndex;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;

/** An HTML page of several planned inputs, with an index. */
public final class PlanReportFile extends PagesFile {

  private final PlanIndex index = new PlanIndex();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param inputCount the number of inputs
   */
  public PlanReportFile(String path, int inputCount) {
    super(path, "Memory of " + Numbers.count(inputCount, "input"), "Planned");
  }

  @Override
  FigureTable index() {
    return index.table();
  }

  /**
   * Adds plans.
   *
   * @param report the plans, with one or more offsets plans
   * @param run the run that made them
   * @throws IOException if the file cannot be written
   */
  public void add(PlanReport report, RunFacts run) throws IOException {
    String address = add(page -> page.add(Pictures.of(report).withRun(run)));
    index.add(report, address, run.capacityBytes());
  }

  /**
   * Adds layouts.
   *
   * @param report the layouts
   * @throws IOException if the file cannot be written
   */
  public void add(ShapesReport report) throws IOException {
    index.add(report, add(page -> page.add(report.input().file().path(), Pictures.of(report))));
  }
}
