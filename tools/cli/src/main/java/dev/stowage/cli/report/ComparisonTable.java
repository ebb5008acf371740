package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A table of several reports: a column for each file, a row for each strategy. */
final class ComparisonTable {

  /** The number of columns that fit on a page. */
  private static final int COLUMNS = 6;

  private final List<PlanReport> reports;
  private final ColumnTitles titles;

  ComparisonTable(List<PlanReport> reports) {
    this.reports = reports;
    titles = new ColumnTitles(reports.stream().map(ComparisonTable::path).toList());
  }

  private static String path(PlanReport report) {
    return report.input().file().path();
  }

  void print(Writer out) throws IOException {
    for (int from = 0; from < reports.size(); from += COLUMNS) {
      if (from > 0) {
        out.write("\n");
      }
      List<PlanReport> columns = reports.subList(from, Math.min(from + COLUMNS, reports.size()));
      table(columns).print(out);
    }
    for (PlanReport report : reports) {
      if (report.arePlansCut()) {
        out.write(
            String.format(
                Locale.ROOT,
                report.plans().isEmpty()
                    ? "Interrupted before the first plan of %s.\n"
                    : "Interrupted: these are the best plans of %s so far.\n",
                Printable.of(path(report))));
      }
      if (report.isOrderCut()) {
        out.write(
            String.format(
                Locale.ROOT,
                "Interrupted: a longer search may find a better order of the operators of %s.\n",
                Printable.of(path(report))));
      }
    }
  }

  private TextTable table(List<PlanReport> columns) {
    TextTable table = new TextTable();
    row(table, "", columns, report -> titles.of(path(report)));
    row(table, "", columns, report -> unit(report).name());
    row(table, "tensors", columns, report -> Numbers.grouped(report.input().labels().size()));
    row(table, "unshared", columns, report -> inUnit(report, naiveBytes(report)));
    if (columns.stream().anyMatch(report -> !report.offsetsPlans().isEmpty())) {
      table.row("OFFSETS in one arena");
      strategyRows(table, columns, PlanReport::shownOffsetsPlans);
      savingRow(table, columns, PlanReport::searched, PlanReport::bestUnsearched);
      row(table, "  lower bound", columns, report -> inUnit(report, report.offsetsBoundBytes()));
    }
    if (columns.stream().anyMatch(report -> !report.objectsPlans().isEmpty())) {
      table.row("SHARED OBJECTS");
      strategyRows(table, columns, PlanReport::objectsPlans);
      savingRow(table, columns, PlanReport::searchedObjects, PlanReport::bestUnsearchedObjects);
      row(table, "  lower bound", columns, report -> inUnit(report, report.objectsBoundBytes()));
    }
    if (columns.stream().anyMatch(report -> report.micro().isPresent())) {
      table.row("HEAD of TensorFlow Lite Micro");
      microRow(table, "  in the file", columns, MicroReport::filePlanBytes);
      microRow(
          table, "  without a plan", columns, micro -> OptionalLong.of(micro.withoutPlanBytes()));
      microRow(table, "  with the best plan", columns, MicroReport::bestHeadBytes);
    }
    if (columns.stream().anyMatch(report -> report.order().isPresent())) {
      table.row("ORDER OF OPERATORS");
      orderRow(table, "  of the file", columns, order -> order.before().bytes());
      orderRow(table, "  best found", columns, order -> order.after().bytes());
      orderRow(table, "  lower bound", columns, OrderComparison::lowerBoundBytes);
    }
    return table;
  }

  private static void orderRow(
      TextTable table,
      String name,
      List<PlanReport> columns,
      ToLongFunction<OrderComparison> bytes) {
    row(
        table,
        name,
        columns,
        report ->
            report.order().map(order -> inUnit(report, bytes.applyAsLong(order))).orElse("-"));
  }

  private static void row(
      TextTable table, String name, List<PlanReport> columns, Function<PlanReport, String> cell) {
    List<String> cells = new ArrayList<>();
    cells.add(name);
    columns.forEach(report -> cells.add(cell.apply(report)));
    table.row(cells);
  }

  private static void microRow(
      TextTable table,
      String name,
      List<PlanReport> columns,
      Function<MicroReport, OptionalLong> bytes) {
    row(
        table,
        name,
        columns,
        report -> {
          OptionalLong found = report.micro().map(bytes).orElse(OptionalLong.empty());
          return found.isPresent() ? inUnit(report, found.getAsLong()) : "-";
        });
  }

  private static void strategyRows(
      TextTable table,
      List<PlanReport> columns,
      Function<PlanReport, ? extends List<? extends Plan>> plans) {
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      Function<PlanReport, Optional<? extends Plan>> planOf =
          report ->
              plans.apply(report).stream().filter(plan -> plan.strategy() == strategy).findFirst();
      if (columns.stream().anyMatch(report -> planOf.apply(report).isPresent())) {
        row(
            table,
            "  " + strategy,
            columns,
            report ->
                planOf.apply(report).map(plan -> inUnit(report, totalBytes(plan))).orElse("-"));
      }
    }
  }

  /** Adds the saving of searches over the best other plans, unless no search saves anything. */
  private static void savingRow(
      TextTable table,
      List<PlanReport> columns,
      Function<PlanReport, Optional<? extends Plan>> searched,
      Function<PlanReport, Optional<? extends Plan>> bestOther) {
    Function<PlanReport, Optional<String>> saving =
        report ->
            searched
                .apply(report)
                .flatMap(found -> bestOther.apply(report).flatMap(other -> saving(found, other)));
    if (columns.stream().anyMatch(report -> saving.apply(report).isPresent())) {
      row(table, "  OPTIMAL saves", columns, report -> saving.apply(report).orElse("-"));
    }
  }

  private static Optional<String> saving(Plan found, Plan other) {
    long savedBytes = totalBytes(other) - totalBytes(found);
    return savedBytes > 0
        ? Optional.of(Numbers.percent(savedBytes, totalBytes(other)))
        : Optional.empty();
  }

  private static long totalBytes(Plan plan) {
    return switch (plan) {
      case Plan.Offsets offsets -> offsets.assignment().totalBytes();
      case Plan.Objects objects -> objects.assignment().totalBytes();
      case Plan.Textures textures -> textures.assignment().totalTexels();
    };
  }

  private static long naiveBytes(PlanReport report) {
    return ((PlanInput.Tensors) report.input()).problem().naiveBytes();
  }

  private static ByteUnit unit(PlanReport report) {
    return ByteUnit.unitFor(naiveBytes(report));
  }

  private static String inUnit(PlanReport report, long bytes) {
    return unit(report).count(bytes);
  }
}
