package dev.stowage.cli.picture;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.MemoryPart;
import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ServiceRule;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.PartBars;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The page of the budgets of a model. */
public final class BudgetPage {

  private final BudgetReport report;
  private final ShapeBudget largest;
  private final FiguresPage page;

  private BudgetPage(BudgetReport report, RunFacts run) {
    this.report = report;
    largest = report.largest();
    page = new FiguresPage(title(largest), "budget", "Predicted", run);
  }

  public static FiguresPage of(BudgetReport report, RunFacts run) {
    BudgetPage content = new BudgetPage(report, run);
    content.addSummary();
    content.addPictures();
    content.addParts();
    if (report.shapes().size() > 1) {
      content.addShapes();
    }
    if (!report.largest().comparisons().rules().isEmpty()) {
      content.addRules();
    }
    content.addEvidence();
    return content.page;
  }

  /** {@return the file name of the model} */
  static String title(ShapeBudget shape) {
    return Printable.of(String.valueOf(Path.of(shape.input()).getFileName()));
  }

  private void addSummary() {
    MemoryBudget budget = largest.budget();
    page.addText(
        String.format(
            Locale.ROOT,
            "Native memory of a service with %s and %s each%s%s%s.",
            Numbers.count(largest.service().sessions(), "session"),
            Numbers.count(largest.service().threads(), "thread"),
            report.cpu().map(cpu -> " on a processor of the class " + cpu).orElse(""),
            largest.hasProcess() ? ", with its Java process" : ", without its Java process",
            largest.dimensions().isEmpty() ? "" : ", at " + Printable.of(largest.shapeText())));
    List<Figure> figures = new ArrayList<>();
    figures.add(
        new Figure(
            "Highest point, "
                + (budget.isHighestWhileLoading() ? "while loading" : "while running"),
            ByteUnit.exact(budget.highestBytes())));
    OptionalLong measured = largest.measuredBytes();
    if (measured.isPresent()) {
      figures.add(new Figure("Measured", ByteUnit.exact(measured.getAsLong())));
    }
    OptionalLong limit = largest.service().limitBytes();
    if (limit.isPresent()) {
      figures.add(new Figure("Limit", ByteUnit.exact(limit.getAsLong()) + ": " + fits()));
    }
    report.fit().ifPresent(fit -> figures.add(figure(fit)));
    page.addFigures(figures);
  }

  private String fits() {
    long fitting = report.shapes().stream().filter(ShapeBudget::fits).count();
    if (report.shapes().size() == 1 || fitting == 0 || fitting == report.shapes().size()) {
      return fitting > 0 ? "fits" : "does not fit";
    }
    return String.format(
        Locale.ROOT,
        "%s of %s shapes fit",
        Numbers.grouped(fitting),
        Numbers.grouped(report.shapes().size()));
  }

  private static Figure figure(BudgetFit fit) {
    OptionalLong size = fit.largest();
    return new Figure(
        "Largest " + Printable.of(fit.name()) + " within the limit",
        size.isEmpty()
            ? "none"
            : Numbers.grouped(size.getAsLong())
                + (!fit.hasGap()
                    ? ""
                    : fit.allUpTo().isPresent()
                        ? " (all up to " + Numbers.grouped(fit.allUpTo().getAsLong()) + ")"
                        : " (not all smaller ones)"));
  }

  private void addPictures() {
    page.addBars(bars());
    if (report.shapes().size() > 1) {
      BudgetCurve.add(report, page);
    }
  }

  private void addParts() {
    page.addHeading("Parts");
    page.addText(
        "Loading is the creation of the last session; running is the time when all sessions have"
            + " run. Computed parts follow from the model and the rules of the engine, calibrated"
            + " ones from constants of a machine.");
    MemoryBudget budget = largest.budget();
    FigureTable<MemoryPart> table =
        new FigureTable<MemoryPart>("Parts")
            .text("Part", MemoryPart::name)
            .bytes("While loading", MemoryPart::loadingBytes)
            .bytes("While running", MemoryPart::runningBytes)
            .text("Source", part -> part.how().toString())
            .text("Confidence", part -> report.confidence(part).toString());
    budget.parts().stream()
        .filter(part -> part.loadingBytes() > 0 || part.runningBytes() > 0)
        .forEach(table::add);
    table.addText(
        List.of(
            Cell.text("sum"), Cell.bytes(budget.loadingBytes()), Cell.bytes(budget.runningBytes())),
        "");
    page.addTable(table);
  }

  /** {@return the two moments as bars of the parts, with the limit} */
  private PartBars bars() {
    MemoryBudget budget = largest.budget();
    return new PartBars(
        budget.parts().stream().map(MemoryPart::name).toList(),
        List.of(
            new PartBars.Bar(
                "While loading", budget.parts().stream().map(MemoryPart::loadingBytes).toList()),
            new PartBars.Bar(
                "While running", budget.parts().stream().map(MemoryPart::runningBytes).toList())),
        largest.service().limitBytes());
  }

  private void addShapes() {
    page.addHeading("Shapes");
    double most = Math.max(1, largest.budget().highestBytes());
    FigureTable<ShapeBudget> table =
        new FigureTable<ShapeBudget>("Shapes")
            .left(
                "Shape",
                shape ->
                    Cell.text(shape.shapeText()).withBars(shape.budget().highestBytes() / most))
            .bytes("Highest point", shape -> shape.budget().highestBytes())
            .bytes("While loading", shape -> shape.budget().loadingBytes())
            .bytes("While running", shape -> shape.budget().runningBytes());
    if (largest.service().limitBytes().isPresent()) {
      table.text("Limit", shape -> shape.fits() ? "fits" : "does not fit");
    }
    page.addTable(table.addAll(report.shapes()));
  }

  private void addRules() {
    page.addHeading("Rules of services");
    page.addText(
        largest.hasProcess()
            ? "Other services estimate the memory of a model by these rules, without the Java"
                + " process. The budget without it has "
                + ByteUnit.exact(largest.nativeBytes())
                + "."
            : "Other services estimate the memory of a model by these rules.");
    page.addTable(
        new FigureTable<ServiceRule>("Rules of services")
            .text("Rule", ServiceRule::name)
            .bytes("Estimate", ServiceRule::bytes)
            .number("Above the budget", rule -> Cell.growth(rule.bytes() - largest.nativeBytes()))
            .addAll(largest.comparisons().rules()));
  }

  private void addEvidence() {
    page.addHeading("Proved, sampled and unknown");
    page.addTable(
        new FigureTable<BudgetReport.Evidence>("Evidence")
            .text("Kind", BudgetReport.Evidence::kind)
            .text("Statement", BudgetReport.Evidence::sentence)
            .addAll(report.evidence()));
  }
}
