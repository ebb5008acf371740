package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.ShapeLayout;

/**
 * A part of the shapes, with a layout and an arena for all of them.
 *
 * @param layout the layout; the ranges of its problem are those of the bucket
 * @param arenaBytes the size of an arena that holds all records for each shape of the bucket
 */
public record LayoutBucket(ShapeLayout layout, long arenaBytes) {

  /** {@return the shapes of the bucket} */
  public DimensionRanges ranges() {
    return layout.problem().ranges();
  }
}
