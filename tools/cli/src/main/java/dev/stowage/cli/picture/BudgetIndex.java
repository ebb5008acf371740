package dev.stowage.cli.picture;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.ReportPage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;

/** The index of the budgets of several models. */
public final class BudgetIndex {

  private final FigureTable<Row> table =
      new FigureTable<Row>("Models")
          .left("Model", row -> Cell.link(row.largest.input(), row.address))
          .text("Largest shape", row -> row.largest.shapeText())
          .count("Sessions", row -> row.largest.service().sessions())
          .count("Threads", row -> row.largest.service().threads())
          .bytes("Highest point", row -> row.largest.budget().highestBytes())
          .bytes("While loading", row -> row.largest.budget().loadingBytes())
          .bytes("While running", row -> row.largest.budget().runningBytes())
          .text("Note", Row::note);

  private record Row(ShapeBudget largest, String note, String address) {}

  public FigureTable<?> table() {
    return table;
  }

  /** Adds the budgets of a model to a page and to the index. */
  public void add(BudgetReport report, RunFacts run, ReportPage page) throws IOException {
    ShapeBudget largest = report.largest();
    page.add(largest.input(), BudgetPage.of(report, run));
    table.add(new Row(largest, note(report, largest), page.lastAddress()));
  }

  private static String note(BudgetReport report, ShapeBudget largest) {
    if (largest.fits()) {
      return "";
    }
    String limit = ByteUnit.exact(largest.service().limitBytes().orElseThrow());
    return (report.fits() ? "smaller shapes fit into " : "does not fit into ") + limit;
  }
}
