package dev.stowage.plan.shapes;

import java.util.OptionalLong;

/**
 * Bounds of a value for all positive dimensions.
 *
 * @param lower a number that no value is below; empty if unknown
 * @param upper a number that no value exceeds; empty if unknown
 */
record ValueBounds(OptionalLong lower, OptionalLong upper) {

  static final ValueBounds POSITIVE = new ValueBounds(OptionalLong.of(1), OptionalLong.empty());
}
