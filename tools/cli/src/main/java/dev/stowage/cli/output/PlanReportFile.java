package dev.stowage.cli.output;

import dev.stowage.cli.picture.Pictures;
import dev.stowage.cli.picture.PlanIndex;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;

/** An HTML page of several planned inputs, with an index. */
public final class PlanReportFile implements Closeable {

  private final PagesFile file;
  private final PlanIndex index = new PlanIndex();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param inputCount the number of inputs
   */
  public PlanReportFile(String path, int inputCount) {
    file = new PagesFile(path, "Memory of " + Numbers.count(inputCount, "input"), "Planned");
  }

  /** {@return the path} */
  public String path() {
    return file.path();
  }

  /** {@return true if the page has an input} */
  public boolean isBegun() {
    return file.isBegun();
  }

  /** {@return the number of rows of the index} */
  public int rowCount() {
    return index.table().rowCount();
  }

  /**
   * Adds plans.
   *
   * @param report the plans, with one or more offsets plans
   * @param run the run that made them
   * @throws IOException if the file cannot be written
   */
  public void add(PlanReport report, RunFacts run) throws IOException {
    String address = file.add(page -> page.add(Pictures.of(report).withRun(run)));
    index.add(report, address, run.capacityBytes());
  }

  /**
   * Adds layouts.
   *
   * @param report the layouts
   * @throws IOException if the file cannot be written
   */
  public void add(ShapesReport report) throws IOException {
    index.add(
        report, file.add(page -> page.add(report.input().file().path(), Pictures.of(report))));
  }

  /**
   * Adds a row for an input without a page.
   *
   * @param input the file as on the command line
   * @param reason the reason
   */
  public void addFailure(String input, String reason) {
    index.addFailure(input, reason);
  }

  /**
   * Completes the file, which has one or more inputs.
   *
   * @param run the run of the command
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public void complete(RunFacts run) throws IOException {
    file.complete(index.table(), run);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
