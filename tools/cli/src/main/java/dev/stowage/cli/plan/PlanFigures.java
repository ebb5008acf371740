package dev.stowage.cli.plan;

import dev.stowage.cli.gate.BaselineEntry;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures for a baseline: the bytes of the best plans, and the lower bounds. */
public final class PlanFigures {

  private final PlanReport report;
  private final SortedMap<String, Long> figures = new TreeMap<>();

  private PlanFigures(PlanReport report) {
    this.report = report;
  }

  /**
   * {@return the figures of a report}
   *
   * @param report the plans, all of them finished
   */
  public static BaselineEntry of(PlanReport report) {
    return BaselineEntry.of(new PlanFigures(report).figures());
  }

  /*
   * The lower bounds follow from the records alone. Bounds of a search depend on its limits, and
   * grow if the search becomes better.
   */
  private SortedMap<String, Long> figures() {
    add("offsets_bytes", report.bestOffsets());
    add("objects_bytes", report.bestObjects());
    add("texels", report.texturePlans().stream().min(Comparator.comparingLong(Plan::size)));
    report.micro().ifPresent(this::addMicro);
    report.order().ifPresent(order -> figures.put("reordered_bytes", order.after().bytes()));
    report
        .bounds()
        .ifPresent(bounds -> {
          addBound("offsets", bounds.offsetsBytes());
          addBound("objects", bounds.objectsBytes());
        });
    return figures;
  }

  private void add(String name, Optional<? extends Plan> best) {
    best.ifPresent(plan -> figures.put(name, plan.size()));
  }

  private void addMicro(MicroReport micro) {
    figures.put("head_bytes", micro.smallestHeadBytes());
    figures.put("arena_bytes", micro.fileSize().arenaBytes());
    figures.put("best_arena_bytes", micro.smallestArenaBytes());
  }

  /** Adds the bound of a kind that has plans. */
  private void addBound(String kind, long bytes) {
    if (figures.containsKey(kind + "_bytes")) {
      figures.put(kind + "_lower_bound_bytes", bytes);
    }
  }
}
