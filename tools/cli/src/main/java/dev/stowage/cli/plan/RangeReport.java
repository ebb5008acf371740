package dev.stowage.cli.plan;

import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import java.util.List;

/**
 * The arenas for parts of the shapes and for single shapes, compared with one plan for all shapes.
 *
 * @param problem the records
 * @param buckets the plans of the parts, if they are requested
 * @param shapes up to nine shapes
 */
public record RangeReport(RangedProblem problem, List<Bucket> buckets, List<ComparedShape> shapes)
    implements PlanPart {

  public RangeReport {
    buckets = List.copyOf(buckets);
    shapes = List.copyOf(shapes);
  }

  /**
   * The plan for a part of the shapes.
   *
   * @param ranges the part
   * @param report plans for the largest size of each record in the part
   */
  public record Bucket(DimensionRanges ranges, PlanReport report) {

    public long arenaBytes() {
      return report.bestOffsets().orElseThrow().totalBytes();
    }
  }

  /** A shape, and the best arena that was found for this shape alone. */
  public record ComparedShape(DimensionValues shape, long bestBytes) {}
}
