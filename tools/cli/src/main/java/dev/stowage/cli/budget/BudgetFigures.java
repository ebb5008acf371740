package dev.stowage.cli.budget;

import dev.stowage.budget.BudgetPart;
import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.PartPhase;
import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.GatedResult;
import dev.stowage.plan.shapes.DimensionRange;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The figures of budgets that a baseline has: the highest point of each shape, and the parts. */
public final class BudgetFigures {

  /** The option with the class of the processor. */
  public static final String CPU = "--cpu";

  /** The name of the constants among the options of a baseline. */
  public static final String CONSTANTS = "constants";

  private BudgetFigures() {}

  /**
   * {@return the figures of a report}
   *
   * <p>Parts of runs depend on the shape; all others are the same for all shapes.
   *
   * @param options the options that change the figures
   */
  public static GatedResult of(
      BudgetReport report, BudgetTensors tensors, SortedMap<String, String> options) {
    SortedMap<String, String> recorded = new TreeMap<>(options);
    if (BudgetRequest.isMicro(report.largest().input())) {
      recorded.remove(CONSTANTS); // of the engine for .onnx models
    }
    report.cpu().ifPresent(cpu -> recorded.put(CPU, cpu.name()));
    SortedMap<String, Long> figures = new TreeMap<>();
    SortedMap<String, Long> parts = new TreeMap<>();
    for (ShapeBudget shape : report.shapes()) {
      String prefix = prefix(report, shape);
      figures.put("loading_bytes", shape.budget().loadingBytes());
      figures.put(prefix + "running_bytes", shape.budget().runningBytes());
      figures.put(prefix + "highest_bytes", shape.budget().highestBytes());
      addParts(report.model().parts(), shape, prefix, parts);
    }
    return new GatedResult(
        new BaselineEntry(
            recorded, figures, new TreeSet<>(), tensors.records().all(), parts, tensors.weights()),
        tensors.records().peaks(),
        tensors.taskNames(),
        report.engine().hasVariants()
            ? Optional.of("ONNX Runtime orders the operators differently from session to session")
            : Optional.empty());
  }

  /**
   * {@return the sizes of the dimensions with several sizes and a space; empty if there are none}
   */
  private static String prefix(BudgetReport report, ShapeBudget shape) {
    String sizes =
        report.openRanges().stream()
            .map(DimensionRange::name)
            .sorted()
            .map(name -> name + "=" + shape.dimensions().get(name))
            .collect(Collectors.joining(","));
    return sizes.isEmpty() ? "" : sizes + " ";
  }

  private static void addParts(
      List<BudgetPart> parts, ShapeBudget shape, String prefix, SortedMap<String, Long> figures) {
    List<MemoryPart> bytes = shape.budget().parts();
    for (int i = 0; i < parts.size(); i++) {
      boolean isOfShape = parts.get(i).phase() == PartPhase.RUNNING;
      figures.put(
          (isOfShape ? prefix : "") + name(parts.get(i).name()),
          Math.max(bytes.get(i).loadingBytes(), bytes.get(i).runningBytes()));
    }
  }

  /** {@return the name of a part as a figure: {@code freed_weights_sessions_bytes}} */
  private static String name(String part) {
    return part.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("_$", "")
        + "_bytes";
  }
}
