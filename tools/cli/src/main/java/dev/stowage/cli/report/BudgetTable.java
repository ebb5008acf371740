package dev.stowage.cli.report;

import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ServiceRule;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.shapes.DimensionRange;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.stream.Collectors;

/** Budgets as tables: the parts of the largest one, and a curve if there are several shapes. */
final class BudgetTable implements ReportFormat<BudgetReport> {

  @Override
  public void print(BudgetReport report, Writer out) throws IOException {
    ShapeBudget largest = report.largest();
    out.write(
        String.format(
            Locale.ROOT,
            "%s%s: %s, %s each%s%n%n",
            Printable.of(largest.input()),
            largest.dimensions().isEmpty() ? "" : " at " + Printable.of(largest.shapeText()),
            Numbers.count(largest.service().sessions(), "session"),
            Numbers.count(largest.service().threads(), "thread"),
            report.cpu().map(cpu -> ", cpu " + cpu).orElse("")));
    parts(report, largest).print(out);
    if (report.shapes().size() > 1) {
      out.write("\n");
      curve(report).print(out);
    }
    out.write("\n");
    if (!largest.comparisons().rules().isEmpty()) {
      rules(largest).print(out);
      out.write("\n");
    }
    for (BudgetReport.Evidence evidence : report.evidence()) {
      out.write(
          String.format(
              Locale.ROOT, "%s: %s%n", evidence.kind(), Printable.of(evidence.sentence())));
    }
    if (report.fit().isPresent()) {
      out.write(fit(report.model(), report.fit().get()) + "\n");
    }
  }

  private static TextTable parts(BudgetReport report, ShapeBudget shape) {
    TextTable table = new TextTable();
    table.row("PART", "loading", "running", "", "", "");
    for (MemoryPart part : shape.budget().parts()) {
      if (part.loadingBytes() > 0 || part.runningBytes() > 0) {
        table.row(
            "  " + part.name(),
            Numbers.grouped(part.loadingBytes()),
            Numbers.grouped(part.runningBytes()),
            ByteUnit.human(Math.max(part.loadingBytes(), part.runningBytes())),
            part.how().toString(),
            report.confidence(part).toString());
      }
    }
    table.row(
        "  sum",
        Numbers.grouped(shape.budget().loadingBytes()),
        Numbers.grouped(shape.budget().runningBytes()),
        "",
        "");
    table.row("");
    table.row(
        "HIGHEST",
        Numbers.grouped(shape.budget().highestBytes()),
        shape.budget().isHighestWhileLoading() ? "while loading" : "while running",
        ByteUnit.human(shape.budget().highestBytes()),
        "");
    shape
        .measuredBytes()
        .ifPresent(bytes ->
            table.row(
                "  measured",
                Numbers.grouped(bytes),
                "",
                ByteUnit.human(bytes),
                Numbers.excess((double) shape.budget().highestBytes() / bytes - 1)));
    shape
        .comparisons()
        .plannedBytes()
        .ifPresent(bytes ->
            table.row(
                "  activations as planned by Stowage",
                Numbers.grouped(Math.multiplyExact(bytes, (long) shape.service().sessions())),
                "",
                ByteUnit.human(bytes * shape.service().sessions()),
                ""));
    shape
        .service()
        .limitBytes()
        .ifPresent(bytes ->
            table.row(
                "  limit",
                Numbers.grouped(bytes),
                shape.fits() ? "fits" : "does not fit",
                ByteUnit.human(bytes),
                ""));
    return table;
  }

  private static TextTable curve(BudgetReport report) {
    TextTable table = new TextTable();
    table.row("SHAPE", "bytes", "", "");
    for (ShapeBudget shape : report.shapes()) {
      table.row(
          "  " + Printable.of(shape.shapeText()),
          Numbers.grouped(shape.budget().highestBytes()),
          ByteUnit.human(shape.budget().highestBytes()),
          shape.service().limitBytes().isEmpty() ? "" : shape.fits() ? "fits" : "does not fit");
    }
    return table;
  }

  private static TextTable rules(ShapeBudget shape) {
    TextTable table = new TextTable();
    table.row("RULES OF SERVICES", "bytes", "");
    for (ServiceRule rule : shape.comparisons().rules()) {
      table.row("  " + rule.name(), Numbers.grouped(rule.bytes()), ByteUnit.human(rule.bytes()));
    }
    return table;
  }

  private static String fit(ModelBudget model, BudgetFit fit) {
    boolean isCount = fit.name().equals(BudgetFit.SESSIONS) || fit.name().equals(BudgetFit.THREADS);
    String name = isCount ? "number of " + fit.name() : Printable.of(fit.name());
    String others =
        model.ranges().ranges().stream()
            .filter(range -> range.first() < range.last() && !range.name().equals(fit.name()))
            .map(range -> Printable.of(range.name()) + "=" + range.last())
            .collect(Collectors.joining(", "));
    String limit = ByteUnit.exact(fit.limitBytes()) + (others.isEmpty() ? "" : " at " + others);
    if (fit.largest().isEmpty()) {
      return String.format(Locale.ROOT, "No %s fits into %s.", name, limit);
    }
    long largest = fit.largest().getAsLong();
    long most =
        isCount
            ? BudgetFit.MAX_COUNT
            : model.ranges().range(fit.name()).map(DimensionRange::last).orElse(Long.MAX_VALUE);
    return String.format(
        Locale.ROOT,
        "The largest %s within %s is %s%s%s.",
        name,
        limit,
        Numbers.grouped(largest),
        largest == most ? ", the largest that was tried" : "",
        !fit.hasGap()
            ? ""
            : fit.allUpTo().isPresent()
                ? "; not all smaller ones fit, those up to "
                    + Numbers.grouped(fit.allUpTo().getAsLong())
                    + " do"
                : "; the smallest does not fit");
  }
}
