package dev.stowage.cli.picture;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.ReportPage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

  private final List<ShapeBudget> budgets = new ArrayList<>();

  private record Row(ShapeBudget largest, String note, String address) {}

  public FigureTable<?> table() {
    return table;
  }

  /** {@return the conclusion; empty if there are no budgets} */
  public Optional<Conclusion> conclusion() {
    return budgets.stream()
        .max(Comparator.comparingLong(each -> each.budget().highestBytes()))
        .map(this::conclusion);
  }

  private Conclusion conclusion(ShapeBudget largest) {
    return new Conclusion(
        ByteUnit.human(largest.budget().highestBytes()),
        String.format(
            Locale.ROOT,
            "%s needs the most memory of %s%s.",
            Printable.of(largest.input()),
            Numbers.count(budgets.size(), "model"),
            largest.dimensions().isEmpty() ? "" : ", at " + Printable.of(largest.shapeText())),
        "The page of each model has the confidence of its parts.",
        Optional.empty());
  }

  /** Adds the budgets of a model to a page and to the index. */
  public void add(BudgetReport report, RunFacts run, ReportPage page) throws IOException {
    ShapeBudget largest = report.largest();
    page.add(largest.input(), BudgetPage.of(report, run));
    budgets.add(largest);
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
