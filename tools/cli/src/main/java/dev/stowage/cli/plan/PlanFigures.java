package dev.stowage.cli.plan;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.BaselineRecord;
import dev.stowage.cli.gate.GatedResult;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.bounds.LowerBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures of plans that a baseline has: those of the best plans, and the lower bounds. */
public final class PlanFigures {

  private PlanFigures() {}

  /**
   * {@return the figures of a report}
   *
   * <p>The lower bounds are those of the records alone. A bound that a search proves depends on the
   * limits of the search and grows if the search becomes better.
   *
   * @param report the plans, all of them finished
   * @param options the options that change the figures
   */
  public static GatedResult of(PlanReport report, SortedMap<String, String> options) {
    SortedMap<String, Long> figures = new TreeMap<>();
    report.bestOffsets().ifPresent(plan -> figures.put("offsets_bytes", plan.size()));
    report.bestObjects().ifPresent(plan -> figures.put("objects_bytes", plan.size()));
    report.texturePlans().stream()
        .mapToLong(Plan::size)
        .min()
        .ifPresent(texels -> figures.put("texels", texels));
    report.micro().ifPresent(micro -> addMicro(micro, figures));
    report.order().ifPresent(order -> figures.put("reordered_bytes", order.after().bytes()));
    report.bounds().ifPresent(bounds -> addBounds(bounds, figures));
    PeakRecords records = records(report.input());
    return new GatedResult(
        new BaselineEntry(options, figures, records.all(), new TreeMap<>()),
        records.live(),
        report.input().file()::nameOf,
        GatedResult.variation(
            report.isOutOfTime() || !report.order().stream().allMatch(OrderComparison::isOptimal)));
  }

  private static void addMicro(MicroReport micro, SortedMap<String, Long> figures) {
    figures.put("head_bytes", micro.smallestHeadBytes());
    figures.put("arena_bytes", micro.fileSize().arenaBytes());
    figures.put("best_arena_bytes", micro.smallestArenaBytes());
  }

  /** Adds the bounds of the kinds that have plans. */
  private static void addBounds(LowerBounds bounds, SortedMap<String, Long> figures) {
    if (figures.containsKey("offsets_bytes")) {
      figures.put("offsets_lower_bound_bytes", bounds.offsetsBytes());
    }
    if (figures.containsKey("objects_bytes")) {
      figures.put("objects_lower_bound_bytes", bounds.objectsBytes());
    }
  }

  private static PeakRecords records(PlanInput input) {
    return switch (input) {
      case PlanInput.Tensors tensors -> PeakRecords.of(tensors.problem(), tensors.labels());
      case PlanInput.Textures textures -> {
        List<BaselineRecord> records = new ArrayList<>();
        for (int i = 0; i < textures.records().size(); i++) {
          var record = textures.records().get(i);
          records.add(
              new BaselineRecord(
                  textures.labels().get(i).name(),
                  record.extent().volume(),
                  record.firstTask(),
                  record.lastTask()));
        }
        yield new PeakRecords(records, List.of());
      }
    };
  }
}
