package dev.stowage.cli.input;

import dev.stowage.plan.shapes.DimensionRanges;
import java.util.Set;

/**
 * The dimensions of the command line.
 *
 * @param ranges the dimensions with their ranges or one size of at least 1
 * @param empty the dimensions of size 0, which models may have and problems may not
 */
public record GivenDimensions(DimensionRanges ranges, Set<String> empty) {

  /** No dimensions. */
  public static final GivenDimensions NONE = of(DimensionRanges.of());

  public GivenDimensions {
    empty = Set.copyOf(empty);
  }

  /** {@return the dimensions of ranges; no dimension has the size 0} */
  public static GivenDimensions of(DimensionRanges ranges) {
    return new GivenDimensions(ranges, Set.of());
  }
}
