package dev.stowage.cli.plan;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.GatedResult;
import dev.stowage.cli.input.PlanInput;
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
   * @param options the options that change the figures
   */
  public static GatedResult of(PlanReport report, SortedMap<String, String> options) {
    return new PlanFigures(report).result(options);
  }

  /*
   * The lower bounds follow from the records alone. Bounds of a search depend on its limits, and
   * grow if the search becomes better.
   */
  private GatedResult result(SortedMap<String, String> options) {
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
    PeakRecords records =
        switch (report.input()) {
          case PlanInput.Tensors tensors -> PeakRecords.of(tensors.problem(), tensors.labels());
          case PlanInput.Textures textures -> PeakRecords.of(textures);
        };
    return new GatedResult(
        new BaselineEntry(options, figures, records.all(), new TreeMap<>()),
        records.live(),
        report.input().file()::nameOf,
        GatedResult.variation(
            report.isOutOfTime() || !report.order().stream().allMatch(OrderComparison::isOptimal)));
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
