package dev.stowage.cli.plan;

import dev.stowage.cli.gate.BaselineEntry;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures for a baseline: the bytes of the best plans, and the lower bounds. */
public final class PlanFigures {

  private PlanFigures() {}

  /**
   * {@return the figures of a report}
   *
   * <p>The lower bounds follow from the records alone. Bounds of a search depend on its limits, and
   * grow if the search becomes better.
   *
   * @param report the plans, all of them finished
   */
  public static BaselineEntry of(PlanReport report) {
    SortedMap<String, Long> figures = new TreeMap<>();
    Optional<Plan.Offsets> offsets = report.bestOffsets();
    Optional<Plan.Objects> objects = report.bestObjects();
    offsets.ifPresent(plan -> figures.put("offsets_bytes", plan.size()));
    objects.ifPresent(plan -> figures.put("objects_bytes", plan.size()));
    report.texturePlans().stream()
        .min(Comparator.comparingLong(Plan::size))
        .ifPresent(plan -> figures.put("texels", plan.size()));
    report
        .micro()
        .ifPresent(micro -> {
          figures.put("head_bytes", micro.smallestHeadBytes());
          figures.put("arena_bytes", micro.fileSize().arenaBytes());
          figures.put("best_arena_bytes", micro.smallestArenaBytes());
        });
    report.order().ifPresent(order -> figures.put("reordered_bytes", order.after().bytes()));
    report
        .bounds()
        .ifPresent(bounds -> {
          offsets.ifPresent(_ -> figures.put("offsets_lower_bound_bytes", bounds.offsetsBytes()));
          objects.ifPresent(_ -> figures.put("objects_lower_bound_bytes", bounds.objectsBytes()));
        });
    return BaselineEntry.of(figures);
  }
}
