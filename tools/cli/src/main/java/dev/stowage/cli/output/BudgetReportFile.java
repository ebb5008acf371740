package dev.stowage.cli.output;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.picture.BudgetIndex;
import dev.stowage.cli.picture.BudgetPage;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;

/** An HTML page of the budgets of several models, with an index. */
public final class BudgetReportFile implements Closeable {

  private final PagesFile file;
  private final BudgetIndex index = new BudgetIndex();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param modelCount the number of models
   */
  public BudgetReportFile(String path, int modelCount) {
    file = new PagesFile(path, "Budgets of " + Numbers.count(modelCount, "model"), "Predicted");
  }

  /** {@return the path} */
  public String path() {
    return file.path();
  }

  /** {@return true if the page has a model} */
  public boolean isBegun() {
    return file.isBegun();
  }

  /**
   * Adds the budgets of a model.
   *
   * @param report the budgets
   * @param run the run of the command
   * @throws IOException if the file cannot be written
   */
  public void add(BudgetReport report, RunFacts run) throws IOException {
    String name = report.largest().input();
    index.add(report, file.add(page -> page.add(name, BudgetPage.of(report, run))));
  }

  /**
   * Adds a row for a model without a budget.
   *
   * @param model the file as on the command line
   * @param reason the reason
   */
  public void addFailure(String model, String reason) {
    index.addFailure(model, reason);
  }

  /**
   * Completes the file, which has one or more models.
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
