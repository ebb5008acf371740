package dev.stowage.cli.output;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.picture.BudgetIndex;
import dev.stowage.cli.picture.BudgetPage;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;

/** An HTML page of the budgets of several models, with an index. */
public final class BudgetReportFile extends PagesFile {

  private final BudgetIndex index = new BudgetIndex();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param modelCount the number of models
   */
  public BudgetReportFile(String path, int modelCount) {
    super(path, "Budgets of " + Numbers.count(modelCount, "model"), "Predicted");
  }

  @Override
  FigureTable index() {
    return index.table();
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
    index.add(report, add(page -> page.add(name, BudgetPage.of(report, run))));
  }
}
