package dev.stowage.cli.plan;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.GatedResult;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.shapes.search.LayoutBucket;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The figures of layouts that a baseline has: the arena for all shapes, and a bound. */
public final class ShapesFigures {

  private ShapesFigures() {}

  /**
   * {@return the figures of a report}
   *
   * @param report the layouts, of a search that was not interrupted
   * @param options the options that change the figures
   * @param isTimeLimited true if the user set a time limit
   */
  public static GatedResult of(
      ShapesReport report, SortedMap<String, String> options, boolean isTimeLimited) {
    PlanProblem largest = report.problem().at(report.problem().ranges().last());
    SortedMap<String, Long> figures = new TreeMap<>();
    figures.put(
        "arena_bytes",
        report.result().buckets().stream().mapToLong(LayoutBucket::arenaBytes).max().orElse(0));
    figures.put("largest_shape_lower_bound_bytes", LowerBounds.of(largest).offsetsBytes());
    PeakRecords records = PeakRecords.of(largest, report.input().labels());
    return new GatedResult(
        new BaselineEntry(options, figures, new TreeSet<>(), records.all()),
        records.peaks(),
        report.input().file()::nameOf,
        GatedResult.variation(!report.result().isComplete() && isTimeLimited));
  }
}
