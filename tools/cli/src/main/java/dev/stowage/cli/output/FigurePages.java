package dev.stowage.cli.output;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.picture.BudgetPage;
import dev.stowage.pages.text.RunFacts;

/** The HTML pages of commands whose results are tables. */
public final class FigurePages {

  private FigurePages() {}

  /** {@return the page of the budgets of a model} */
  public static WholeFile.Content of(BudgetReport report, RunFacts run) {
    return BudgetPage.of(report, run)::write;
  }
}
