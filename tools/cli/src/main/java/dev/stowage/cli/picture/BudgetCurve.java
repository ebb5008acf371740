package dev.stowage.cli.picture;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.budget.BudgetShape;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Curve;
import dev.stowage.pages.text.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** The curve of the measured memory over shapes. */
final class BudgetCurve {

  private BudgetCurve() {}

  /**
   * Adds the curve of a report: over the sizes of a dimension if only one has several sizes, and
   * otherwise over the shapes in the order of the measurement.
   */
  static void add(BudgetReport report, FiguresPage page) {
    List<BudgetShape> shapes = report.curve();
    List<Curve> curves = new ArrayList<>();
    curves.add(
        new Curve("highest", "load", shapes.stream().map(BudgetShape::highestBytes).toList()));
    OptionalLong limit = report.request().service().limitBytes();
    limit.ifPresent(bytes ->
        curves.add(new Curve("limit", "capacity", Collections.nCopies(shapes.size(), bytes))));
    List<String> titles = shapes.stream().map(shape -> Printable.of(shape.text())).toList();
    List<MeasuredDimension> open = report.request().open();
    if (open.size() == 1) {
      String name = open.getFirst().name();
      page.addChart(
          Printable.of(name),
          shapes.stream().map(shape -> shape.dimensions().getOrDefault(name, 0L)).toList(),
          titles,
          curves);
    } else {
      page.addChart("shapes, in the order of the measurement", titles, curves);
    }
  }
}
