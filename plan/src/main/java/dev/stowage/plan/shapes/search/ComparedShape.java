package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionValues;

/**
 * The bytes of one shape.
 *
 * @param shape the shape
 * @param lowerBoundBytes a proved lower bound: no plan for this shape alone is smaller
 * @param bestBytes the best plan found for this shape alone
 * @param layoutBytes the one layout for all shapes, at this shape
 * @param bucketBytes the layout of the shape's bucket, at this shape
 * @param bucketArenaBytes the arena of the shape's bucket
 */
public record ComparedShape(
    DimensionValues shape,
    long lowerBoundBytes,
    long bestBytes,
    long layoutBytes,
    long bucketBytes,
    long bucketArenaBytes) {

  /** {@return true if no plan for this shape is smaller than the best one} */
  public boolean isProved() {
    return bestBytes == lowerBoundBytes;
  }
}
