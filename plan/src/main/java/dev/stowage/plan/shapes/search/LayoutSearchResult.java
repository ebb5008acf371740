package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapeLayout;
import java.util.List;

/**
 * The layouts that a {@link LayoutSearch} found, and their bytes beside those of other plans.
 *
 * @param maximum the plan for the largest size of each record, with constant offsets
 * @param layout one layout for all shapes
 * @param buckets a layout for each part of the shapes; with one bucket, {@code layout}
 * @param shapes the compared shapes
 * @param hasAllShapes true if all shapes are compared; false for a sample
 * @param isComplete true if no limit ended the search
 */
public record LayoutSearchResult(
    LayoutBucket maximum,
    ShapeLayout layout,
    List<LayoutBucket> buckets,
    List<ComparedShape> shapes,
    boolean hasAllShapes,
    boolean isComplete) {

  /** Creates a result. */
  public LayoutSearchResult {
    buckets = List.copyOf(buckets);
    shapes = List.copyOf(shapes);
  }

  /** {@return the excess of the plan for the maximum over the best plan of each shape} */
  public Excess maximumExcess() {
    return Excess.of(shapes, _ -> maximum.arenaBytes(), ComparedShape::bestBytes);
  }

  /** {@return the excess of the one layout, at each shape, over the best plan of the shape} */
  public Excess layoutExcess() {
    return Excess.of(shapes, ComparedShape::layoutBytes, ComparedShape::bestBytes);
  }

  /** {@return the excess of the buckets' arenas over the best plan of each shape} */
  public Excess bucketArenaExcess() {
    return Excess.of(shapes, ComparedShape::bucketArenaBytes, ComparedShape::bestBytes);
  }

  /**
   * {@return the excess of the buckets' layouts, at each shape, over the best plan of the shape}
   */
  public Excess bucketLayoutExcess() {
    return Excess.of(shapes, ComparedShape::bucketBytes, ComparedShape::bestBytes);
  }

  /** {@return the excess of the best plans over the proved lower bounds} */
  public Excess bestPlanExcess() {
    return Excess.of(shapes, ComparedShape::bestBytes, ComparedShape::lowerBoundBytes);
  }

  /** {@return the number of shapes whose best plan is proved to be optimal} */
  public int provedCount() {
    return (int) shapes.stream().filter(ComparedShape::isProved).count();
  }

  /**
   * {@return the bucket of a shape}
   *
   * @param values a value for each dimension
   * @throws IllegalArgumentException if the shape is in no bucket
   */
  public LayoutBucket bucketOf(DimensionValues values) {
    return buckets.stream()
        .filter(bucket -> bucket.ranges().contains(values))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("the shape is in no bucket: shape " + values));
  }
}
