package dev.stowage.cli.report;

import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.RangeReport;
import dev.stowage.cli.plan.RangeReport.Bucket;
import dev.stowage.cli.plan.RangeReport.ComparedShape;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;

/**
 * The arenas for parts of the shapes and for single shapes, compared with the plan for all shapes.
 */
final class RangeAnswer {

  private RangeAnswer() {}

  /** Adds the parts of the shapes and the compared shapes. */
  static void addTo(Answer answer, PlanReport report, RangeReport ranges) {
    answer
        .field("dimensions", ranges(ranges.problem().ranges()))
        .field("shapes", ranges.problem().ranges().shapeCount())
        .field("confidence", ranges.problem().isSampled() ? "estimate" : "exact");
    if (ranges.problem().isSampled()) {
      answer.field("checked_shapes", ranges.problem().points().size());
    }
    if (!ranges.buckets().isEmpty()) {
      answer.table(
          Table.named("buckets", ranges.buckets())
              .text("", "BUCKET", bucket -> bucket.ranges().toString())
              .data("dimensions", bucket -> ranges(bucket.ranges()))
              .bytes("arena_bytes", "arena", Bucket::arenaBytes)
              .keepingLabels());
    }
    if (!ranges.shapes().isEmpty()) {
      long allBytes = report.bestOffsets().orElseThrow().totalBytes();
      answer.table(
          Table.named("comparison", ranges.shapes())
              .text("", "SHAPE", shape -> shape.shape().toString())
              .data("dimensions", shape -> shape(shape.shape()))
              .bytes("best_bytes", "best arena", ComparedShape::bestBytes)
              .shown("for all shapes", shape -> Figure.over(allBytes, shape.bestBytes()))
              .keepingLabels());
    }
  }

  /** {@return a shape, such as {@code {"batch": 1}}} */
  static Figure shape(DimensionValues shape) {
    return Figure.group(answer -> shape.toMap().forEach(answer::field));
  }

  /** {@return ranges, such as {@code {"batch": [1, 8]}}} */
  private static Figure ranges(DimensionRanges ranges) {
    return Figure.group(answer ->
        ranges
            .ranges()
            .forEach(range ->
                answer.field(
                    range.name(), new Figure.Longs(new long[] {range.first(), range.last()}))));
  }
}
