package dev.stowage.cli.picture;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FigureTable.Column;
import dev.stowage.pages.text.ByteUnit;
import java.util.List;

/** The index of the budgets of several models. */
public final class BudgetIndex {

  private final FigureTable table =
      new FigureTable(
          "Models",
          List.of(
              Column.text("Model"),
              Column.text("Largest shape"),
              Column.number("Sessions"),
              Column.number("Threads"),
              Column.number("Highest point"),
              Column.number("While loading"),
              Column.number("While running"),
              Column.text("Note")));

  /** {@return the table} */
  public FigureTable table() {
    return table;
  }

  /**
   * Adds the budgets of a model.
   *
   * @param report the budgets
   * @param address the address of their page
   */
  public void add(BudgetReport report, String address) {
    ShapeBudget largest = report.largest();
    table.add(
        List.of(
            Cell.link(largest.input(), address),
            Cell.text(largest.shapeText()),
            Cell.count(largest.service().sessions()),
            Cell.count(largest.service().threads()),
            Cell.bytes(largest.budget().highestBytes()),
            Cell.bytes(largest.budget().loadingBytes()),
            Cell.bytes(largest.budget().runningBytes()),
            Cell.text(note(report, largest))));
  }

  private static String note(BudgetReport report, ShapeBudget largest) {
    if (largest.fits()) {
      return "";
    }
    String limit = ByteUnit.exact(largest.service().limitBytes().orElseThrow());
    return (report.fits() ? "smaller shapes fit into " : "does not fit into ") + limit;
  }
}
