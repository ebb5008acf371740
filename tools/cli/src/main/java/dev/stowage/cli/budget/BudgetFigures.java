package dev.stowage.cli.budget;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.Tolerance;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The figures of budgets that a baseline has: the memory of each shape, and the parts. */
public final class BudgetFigures {

  /** The growth that repeated measurements of a service may show. */
  public static final Tolerance TOLERANCE =
      new Tolerance("5% and 8MiB", BigDecimal.valueOf(5), 8 << 20);

  private BudgetFigures() {}

  /** {@return the figures of a report} */
  public static BaselineEntry of(BudgetReport report) {
    SortedMap<String, String> recorded = new TreeMap<>();
    recorded.put("engine", report.request().engine().title());
    recorded.put("machine", report.machine());
    SortedMap<String, Long> figures = new TreeMap<>();
    SortedMap<String, Long> parts = new TreeMap<>();
    for (BudgetShape shape : report.curve()) {
      figures.put(prefix(report, shape) + "highest_bytes", shape.highestBytes());
    }
    report.keptBytes().ifPresent(bytes -> figures.put("kept_bytes", bytes));
    report.parts().forEach(part -> parts.put(name(part.name()), part.bytes()));
    return new BaselineEntry(figures, recorded, parts);
  }

  /**
   * {@return the sizes of the dimensions with several sizes and a space; empty if there are none}
   */
  private static String prefix(BudgetReport report, BudgetShape shape) {
    String sizes =
        report.request().open().stream()
            .map(BudgetRequest.MeasuredDimension::name)
            .sorted()
            .map(name -> name + "=" + shape.dimensions().get(name))
            .collect(Collectors.joining(","));
    return sizes.isEmpty() ? "" : sizes + " ";
  }

  /** {@return the name of a part as a figure: {@code further_sessions_bytes}} */
  private static String name(String part) {
    return part.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_") + "_bytes";
  }
}
