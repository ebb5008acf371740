package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import java.util.ArrayList;
import java.util.List;

/** A division of shapes into parts: one part, or the two sides of a cut of one dimension. */
sealed interface ShapeDivision {

  /** One part. */
  record Leaf() implements ShapeDivision {}

  /**
   * A cut.
   *
   * @param dimension the index of the dimension among those that are cut
   * @param name its name
   * @param last the last value on the lower side
   * @param lower the division of the lower side
   * @param upper the division of the upper side
   */
  record Cut(int dimension, String name, long last, ShapeDivision lower, ShapeDivision upper)
      implements ShapeDivision {

    private DimensionRanges lowerPart(DimensionRanges within) {
      DimensionRange range = within.range(name).orElseThrow();
      return within.with(new DimensionRange(name, range.first(), last));
    }

    private DimensionRanges upperPart(DimensionRanges within) {
      DimensionRange range = within.range(name).orElseThrow();
      return within.with(new DimensionRange(name, last + 1, range.last()));
    }
  }

  /** {@return the number of cuts} */
  default int cutCount() {
    return this instanceof Cut cut ? 1 + cut.lower.cutCount() + cut.upper.cutCount() : 0;
  }

  /** {@return the division with one cut, by its index in pre-order, at another value} */
  default ShapeDivision withMovedCut(int index, long change) {
    if (!(this instanceof Cut cut)) {
      return this;
    }
    if (index == 0) {
      return new Cut(cut.dimension, cut.name, cut.last + change, cut.lower, cut.upper);
    }
    int lowerCuts = cut.lower.cutCount();
    return index <= lowerCuts
        ? new Cut(
            cut.dimension, cut.name, cut.last, cut.lower.withMovedCut(index - 1, change), cut.upper)
        : new Cut(
            cut.dimension,
            cut.name,
            cut.last,
            cut.lower,
            cut.upper.withMovedCut(index - 1 - lowerCuts, change));
  }

  /** {@return true if each cut lies within the part that it cuts} */
  default boolean isWithin(DimensionRanges part) {
    if (!(this instanceof Cut cut)) {
      return true;
    }
    DimensionRange range = part.range(cut.name).orElseThrow();
    return cut.last >= range.first()
        && cut.last < range.last()
        && cut.lower.isWithin(cut.lowerPart(part))
        && cut.upper.isWithin(cut.upperPart(part));
  }

  /** {@return the parts, the lower sides first} */
  default List<DimensionRanges> parts(DimensionRanges all) {
    if (!(this instanceof Cut cut)) {
      return List.of(all);
    }
    List<DimensionRanges> parts = new ArrayList<>(cut.lower.parts(cut.lowerPart(all)));
    parts.addAll(cut.upper.parts(cut.upperPart(all)));
    return parts;
  }

  /** {@return the index of the part with a shape, whose values of the cut dimensions are given} */
  default int partOf(long[] values) {
    if (!(this instanceof Cut cut)) {
      return 0;
    }
    return values[cut.dimension] <= cut.last
        ? cut.lower.partOf(values)
        : cut.lower.cutCount() + 1 + cut.upper.partOf(values);
  }
}
