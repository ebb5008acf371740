package dev.stowage.cli.picture;

import dev.stowage.cli.budget.BudgetPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.budget.BudgetShape;
import dev.stowage.cli.budget.Remedy;
import dev.stowage.pages.CurveChart;
import dev.stowage.pages.CurveChart.Curve;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.PartBars;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** The page of the measured memory of a service. */
public final class BudgetPage {

  private final BudgetReport report;
  private final FiguresPage page;

  private BudgetPage(BudgetReport report, RunFacts run) {
    this.report = report;
    String name = Printable.of(String.valueOf(Path.of(report.input()).getFileName()));
    page = new FiguresPage(name, "budget", "Measured", run);
  }

  public static FiguresPage of(BudgetReport report, RunFacts run) {
    BudgetPage content = new BudgetPage(report, run);
    content.addSummary();
    content.addParts();
    if (report.curve().size() > 1) {
      content.addShapes();
    }
    if (!report.more().remedies().isEmpty()) {
      content.addRemedies();
    }
    return content.page;
  }

  private void addSummary() {
    page.addText(
        report.hasProcess()
            ? "Memory of the process of the service, with its Java virtual machine."
            : "Memory of the service without its Java virtual machine and heap.");
    List<Figure> figures = new ArrayList<>();
    add("Limit to set", report.limitBytes(), figures);
    figures.add(new Figure("Highest point", ByteUnit.exact(report.highestBytes())));
    add("Kept after the largest request", report.keptBytes(), figures);
    add("Each further session", report.load().furtherSessionBytes(), figures);
    add("In the order of arrival, no bound", report.more().arrivedBytes(), figures);
    page.addFigures(figures);
  }

  private static void add(String term, OptionalLong bytes, List<Figure> figures) {
    bytes.ifPresent(value -> figures.add(new Figure(term, ByteUnit.exact(value))));
  }

  private void addParts() {
    List<BudgetPart> parts = report.parts();
    page.add(
        new PartBars(
            parts.stream().map(BudgetPart::name).toList(),
            List.of(
                new PartBars.Bar(
                    report.largest().text().isEmpty()
                        ? "Highest point"
                        : "At " + Printable.of(report.largest().text()),
                    parts.stream().map(BudgetPart::bytes).toList())),
            report.request().service().limitBytes()));
    page.addHeading("Parts");
    FigureTable<BudgetPart> table =
        new FigureTable<BudgetPart>("Parts")
            .text("Part", BudgetPart::name)
            .bytes("Bytes", BudgetPart::bytes);
    page.addTable(table.addAll(parts));
  }

  private void addShapes() {
    page.addHeading("Shapes");
    addCurve();
    double most = Math.max(1, report.highestBytes());
    FigureTable<BudgetShape> table =
        new FigureTable<BudgetShape>("Shapes")
            .left("Shape", shape -> Cell.text(shape.text()).withBars(shape.highestBytes() / most))
            .bytes("Highest point", BudgetShape::highestBytes);
    if (report.request().service().limitBytes().isPresent()) {
      table.text("Limit", shape -> report.fits(shape) ? "fits" : "does not fit");
    }
    page.addTable(table.addAll(report.curve()));
  }

  /**
   * Adds the curve: over the sizes of a dimension if only one has several sizes, and otherwise over
   * the shapes in the order of the measurement.
   */
  private void addCurve() {
    List<BudgetShape> shapes = report.curve();
    List<Curve> curves = new ArrayList<>();
    curves.add(
        new Curve("highest", "load", shapes.stream().map(BudgetShape::highestBytes).toList()));
    OptionalLong limit = report.request().service().limitBytes();
    limit.ifPresent(bytes ->
        curves.add(new Curve("limit", "capacity", Collections.nCopies(shapes.size(), bytes))));
    List<String> titles = shapes.stream().map(shape -> Printable.of(shape.text())).toList();
    List<MeasuredDimension> open = report.request().open();
    boolean isOne = open.size() == 1;
    String name = isOne ? open.getFirst().name() : "shapes, in the order of the measurement";
    List<Long> places =
        isOne
            ? shapes.stream().map(shape -> shape.dimensions().getOrDefault(name, 0L)).toList()
            : LongStream.rangeClosed(1, shapes.size()).boxed().toList();
    page.add(new CurveChart(Printable.of(name), places, titles, curves));
  }

  private void addRemedies() {
    page.addHeading("Remedies");
    page.addText(
        "The same load with other settings. Shrinking fails together with Stowage's allocator.");
    page.addTable(
        new FigureTable<Remedy.Result>("Remedies")
            .text("Remedy", result -> result.remedy().name())
            .bytes("Highest point", Remedy.Result::highestBytes)
            .bytes("Kept", Remedy.Result::keptBytes)
            .text("A run", Remedy.Result::time)
            .text(
                "How",
                result -> result.failure().isEmpty() ? result.remedy().line() : result.failure())
            .addAll(report.more().remedies()));
  }
}
