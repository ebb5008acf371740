package dev.stowage.cli.picture;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ServiceSize;
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

/** The curves of budgets over shapes. */
final class BudgetCurve {

  /** The number of positions on the axis of a dimension. */
  private static final int MAX_PLACES = 512;

  private BudgetCurve() {}

  /**
   * Adds the curves of a report: over the sizes of a dimension if only one has several sizes, and
   * otherwise over the shapes, the smallest budget first.
   */
  static void add(BudgetReport report, FiguresPage page) {
    List<DimensionRange> ranges = report.openRanges();
    if (ranges.size() == 1) {
      addOverSizes(report, ranges.getFirst(), page);
    } else {
      addOverShapes(report, page);
    }
  }

  private static void addOverSizes(BudgetReport report, DimensionRange range, FiguresPage page) {
    ServiceSize service = report.largest().service();
    DimensionValues last = report.model().ranges().last();
    long span = range.last() - range.first();
    long count = Math.min(span, MAX_PLACES - 1);
    List<Long> sizes =
        LongStream.rangeClosed(0, count)
            .map(i -> range.first() + (long) ((double) span * i / count))
            .boxed()
            .toList();
    String name = Printable.of(range.name());
    page.addChart(
        name,
        sizes,
        sizes.stream().map(size -> name + "=" + size).toList(),
        curves(
            sizes.stream()
                .map(size -> last.with(range.name(), size))
                .map(shape -> report.model().at(shape, service.sessions(), service.threads()))
                .toList(),
            service.limitBytes()));
  }

  private static void addOverShapes(BudgetReport report, FiguresPage page) {
    List<ShapeBudget> shapes =
        report.shapes().stream()
            .sorted(Comparator.comparingLong(shape -> shape.budget().highestBytes()))
            .toList();
    page.addChart(
        "shapes, the smallest budget first",
        shapes.stream().map(shape -> Printable.of(shape.shapeText())).toList(),
        curves(
            shapes.stream().map(ShapeBudget::budget).toList(),
            report.largest().service().limitBytes()));
  }

  private static List<Curve> curves(List<MemoryBudget> budgets, OptionalLong limitBytes) {
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
    return curves;
  }
}
