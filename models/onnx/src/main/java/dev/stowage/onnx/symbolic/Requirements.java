package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapeProver;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The lengths that operators need to be equal, and shapes of the ranges for which they are not.
 *
 * <p>Ranges contain all combinations of their values. If a model needs {@code total = past + new},
 * it is invalid for most of them.
 */
final class Requirements {

  private final DimensionRanges ranges;
  private final ShapeProver prover;
  private final Set<List<SizeExpression>> checked = new HashSet<>();
  private final List<String> violations = new ArrayList<>();

  Requirements(DimensionRanges ranges, ShapeProver prover) {
    this.ranges = ranges;
    this.prover = prover;
  }

  /**
   * Checks two lengths at the shapes for which they are most likely to differ.
   *
   * @param operator the operator in messages
   * @param one a length
   * @param other another length
   * @param isRepeated true if a length of 1 is also valid
   */
  void check(String operator, SizeExpression one, SizeExpression other, boolean isRepeated) {
    if (one.equals(other)
        || !isKnown(one)
        || !isKnown(other)
        || !checked.add(List.of(one, other))) {
      return;
    }
    violation(one, other, ranges.last(), isRepeated)
        .or(() -> violation(one, other, prover.counterexample(one, other), isRepeated))
        .or(() -> violation(one, other, prover.counterexample(other, one), isRepeated))
        .ifPresent(reason -> violations.add(operator + " needs equal lengths, but " + reason));
  }

  private boolean isKnown(SizeExpression length) {
    return length.dimensions().stream().allMatch(name -> ranges.range(name).isPresent());
  }

  private static Optional<String> violation(
      SizeExpression one,
      SizeExpression other,
      Optional<DimensionValues> shape,
      boolean isRepeated) {
    return shape.flatMap(values -> violation(one, other, values, isRepeated));
  }

  private static Optional<String> violation(
      SizeExpression one, SizeExpression other, DimensionValues shape, boolean isRepeated) {
    try {
      long length = one.evaluate(shape);
      long otherLength = other.evaluate(shape);
      if (length == otherLength || (isRepeated && (length == 1 || otherLength == 1))) {
        return Optional.empty();
      }
      return Optional.of(
          String.format(
              Locale.ROOT, "%s is %d and %s is %d at %s", one, length, other, otherLength, shape));
    } catch (ArithmeticException e) {
      return Optional.empty(); // the shape is invalid for another reason
    }
  }

  List<String> violations() {
    return violations;
  }
}
