package dev.stowage.cli.picture;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Curve;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The curves of budgets over shapes.
 *
 * @param label the name of the horizontal axis
 * @param places the positions on the axis
 * @param titles the name of each position
 * @param budgets the budget at each position
 * @param limitBytes the limit, if there is one
 */
record BudgetCurve(
    String label,
    List<Long> places,
    List<String> titles,
    List<MemoryBudget> budgets,
    OptionalLong limitBytes) {

  /** The number of positions on the axis of a dimension. */
  private static final int MAX_PLACES = 512;

  /**
   * {@return the curves of a report: over the sizes of a dimension if only one has several sizes,
   * and otherwise over the shapes, the smallest budget first}
   */
  static BudgetCurve of(BudgetReport report) {
    List<DimensionRange> ranges = report.openRanges();
    return ranges.size() == 1 ? overSizes(report, ranges.getFirst()) : overShapes(report);
  }

  private static BudgetCurve overSizes(BudgetReport report, DimensionRange range) {
    ShapeBudget shape = report.largest();
    DimensionValues last = report.model().ranges().last();
    long span = range.last() - range.first();
    long count = Math.min(span, MAX_PLACES - 1);
    List<Long> sizes =
        LongStream.rangeClosed(0, count)
            .map(i -> range.first() + (long) ((double) span * i / count))
            .boxed()
            .toList();
    String name = Printable.of(range.name());
    return new BudgetCurve(
        name,
        sizes,
        sizes.stream().map(size -> name + "=" + size).toList(),
        sizes.stream()
            .map(size ->
                report
                    .model()
                    .at(
                        last.with(range.name(), size),
                        shape.service().sessions(),
                        shape.service().threads()))
            .toList(),
        shape.service().limitBytes());
  }

  private static BudgetCurve overShapes(BudgetReport report) {
    List<ShapeBudget> shapes =
        report.shapes().stream()
            .sorted(Comparator.comparingLong(shape -> shape.budget().highestBytes()))
            .toList();
    return new BudgetCurve(
        "shapes, the smallest budget first",
        LongStream.rangeClosed(1, shapes.size()).boxed().toList(),
        shapes.stream().map(shape -> Printable.of(shape.shapeText())).toList(),
        shapes.stream().map(ShapeBudget::budget).toList(),
        report.largest().service().limitBytes());
  }

  /** Adds the chart to a page. */
  void addTo(FiguresPage page) {
    List<Curve> curves = new ArrayList<>();
    curves.add(
        new Curve(
            "while running", "load", budgets.stream().map(MemoryBudget::runningBytes).toList()));
    curves.add(
        new Curve(
            "while loading", "layout", budgets.stream().map(MemoryBudget::loadingBytes).toList()));
    if (limitBytes.isPresent()) {
      curves.add(
          new Curve(
              "limit", "capacity", Collections.nCopies(budgets.size(), limitBytes.getAsLong())));
    }
    page.addChart(label, places, titles, curves);
  }
}
