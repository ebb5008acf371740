package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.ShapeProver;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The ranges of the dimensions, which decide between the cases of a rule, and symbols for numbers
 * that are known only at run time.
 *
 * <p>A symbol is a dimension without a range of the user. It stays in all expressions that depend
 * on it, and names the operator whose result is not known.
 */
final class Sizing {

  /*
   * The arithmetic of expressions assumes that dimensions are positive, but a size that is known only
   * at run time may be 0, and a number in a tensor may also be negative. A simplification under the
   * wrong assumption is harmless if the symbol stays in the result: the size is then not planned in
   * any case. A maximum or minimum could lose the symbol: max(1, n) has to stay unknown. These methods
   * therefore return new symbols.
   */

  private static final SizeExpression ZERO = SizeExpression.of(0);
  private static final SizeExpression ONE = SizeExpression.of(1);

  /** The number of boxes after which a comparison is undecided. */
  static final int BOX_LIMIT = 30;

  /** A bound of sizes that are known only at run time. */
  private static final long MAX_UNKNOWN = 1L << 31;

  private final DimensionRanges ranges;
  private final ShapeProver prover;
  private final String prefix;
  private final Requirements requirements;

  /** The proved expressions, and those that are not proved. */
  private final Map<SizeExpression, Boolean> proofs = new HashMap<>();

  /** The operators of the symbols, by the names of the symbols. */
  private final Map<String, String> causes = new HashMap<>();

  /**
   * Creates a set of ranges.
   *
   * @param ranges the ranges of all dimensions
   */
  Sizing(DimensionRanges ranges) {
    this.ranges = ranges;
    this.prover = ShapeProver.of(ranges).withBoxLimit(BOX_LIMIT);
    String unused = "?";
    while (isPrefix(unused)) {
      unused += "?";
    }
    this.prefix = unused;
    this.requirements = new Requirements(ranges, prover);
  }

  private boolean isPrefix(String start) {
    return ranges.ranges().stream().anyMatch(range -> range.name().startsWith(start));
  }

  /** {@return the ranges of all dimensions} */
  DimensionRanges ranges() {
    return ranges;
  }

  /**
   * {@return a symbol for a size}
   *
   * @param operator the operator that computes the size
   */
  SizeExpression unknownSize(String operator) {
    return symbol("size ", operator);
  }

  /**
   * {@return a symbol for a number, which may be negative}
   *
   * @param operator the operator that computes the number
   */
  Quantity unknownNumber(String operator) {
    return Quantity.of(symbol("number ", operator));
  }

  private SizeExpression symbol(String kind, String operator) {
    String name = prefix + kind + causes.size();
    causes.put(name, operator);
    return SizeExpression.dimension(name);
  }

  /** {@return the operator of a symbol in an expression; empty if the expression has none} */
  Optional<String> causeOf(SizeExpression expression) {
    return expression.dimensions().stream()
        .filter(causes::containsKey)
        .findFirst()
        .map(causes::get);
  }

  private boolean isUnknown(SizeExpression expression) {
    return causeOf(expression).isPresent();
  }

  private String causeOf(SizeExpression one, SizeExpression other) {
    return causeOf(one).or(() -> causeOf(other)).orElse("");
  }

  /** {@return true if an expression is never less than a bound} */
  boolean isAtLeast(SizeExpression expression, long bound) {
    OptionalLong constant = expression.constant();
    if (constant.isPresent()) {
      return constant.getAsLong() >= bound;
    }
    try {
      return isNotNegative(expression.plus(Math.negateExact(bound)));
    } catch (ArithmeticException e) {
      return false; // a number exceeds 64 bits
    }
  }

  /** {@return true if an expression is never more than a bound} */
  boolean isAtMost(SizeExpression expression, long bound) {
    OptionalLong constant = expression.constant();
    if (constant.isPresent()) {
      return constant.getAsLong() <= bound;
    }
    try {
      return isNotNegative(SizeExpression.of(bound).minus(expression));
    } catch (ArithmeticException e) {
      return false; // a number exceeds 64 bits
    }
  }

  private boolean isNotNegative(SizeExpression expression) {
    Boolean known = proofs.get(expression);
    if (known == null) {
      known = prove(expression);
      proofs.put(expression, known);
    }
    return known;
  }

  private boolean prove(SizeExpression expression) {
    List<DimensionRange> unknown = new ArrayList<>();
    SizeExpression shifted = expression;
    for (String name : expression.dimensions()) {
      if (name.startsWith(prefix)) {
        if (name.startsWith(prefix + "number ")) {
          return false;
        }
        // A size from 0 is a dimension from 1, less 1.
        shifted = shifted.substitute(name, SizeExpression.dimension(name).plus(-1));
        unknown.add(new DimensionRange(name, 1, MAX_UNKNOWN));
      }
    }
    if (unknown.isEmpty()) {
      return prover.isNotNegative(expression);
    }
    unknown.addAll(ranges.ranges());
    return ShapeProver.of(new DimensionRanges(unknown))
        .withBoxLimit(BOX_LIMIT)
        .isNotNegative(shifted);
  }

  /** {@return the smaller one of two expressions} */
  SizeExpression smaller(SizeExpression one, SizeExpression other) {
    if (one.equals(other)) {
      return one;
    }
    if (isUnknown(one) || isUnknown(other)) {
      return symbol("number ", causeOf(one, other));
    }
    SizeExpression difference = one.minus(other);
    if (isAtMost(difference, 0)) {
      return one;
    }
    return isAtLeast(difference, 0) ? other : one.min(other);
  }

  /** {@return the larger one of two expressions} */
  SizeExpression larger(SizeExpression one, SizeExpression other) {
    if (one.equals(other)) {
      return one;
    }
    if (isUnknown(one) || isUnknown(other)) {
      return symbol("number ", causeOf(one, other));
    }
    SizeExpression difference = one.minus(other);
    if (isAtLeast(difference, 0)) {
      return one;
    }
    return isAtMost(difference, 0) ? other : one.max(other);
  }

  /** {@return an expression, or 0 if it is negative} */
  SizeExpression orZero(SizeExpression expression) {
    if (isAtLeast(expression, 0)) {
      return expression;
    }
    return isUnknown(expression)
        ? unknownSize(causeOf(expression, expression))
        : larger(expression, ZERO);
  }

  /**
   * {@return the length of the result for two operands along an axis}
   *
   * <p>The operator is valid if the lengths are equal, or if one of them is 1. In these cases, the
   * maximum is the result, except for the lengths 0 and 1, whose result is 0.
   *
   * @param operator the operator in messages
   * @param one the length of an operand
   * @param other the length of the other operand
   */
  SizeExpression broadcast(String operator, SizeExpression one, SizeExpression other) {
    if (one.equals(other) || other.equals(ONE)) {
      return one;
    }
    if (one.equals(ONE)) {
      return other;
    }
    requirements.check(operator, one, other, true);
    boolean isOneRepeated = !isAtLeast(one, 2);
    boolean isOtherRepeated = !isAtLeast(other, 2);
    if (!isOneRepeated && !isOtherRepeated) {
      return simpler(one, other);
    }
    if (!isOneRepeated || !isOtherRepeated) {
      return isOneRepeated ? other : one;
    }
    if (isUnknown(one) || isUnknown(other)) {
      return unknownSize(causeOf(one, other));
    }
    SizeExpression larger = larger(one, other);
    return isAtLeast(one, 1) && isAtLeast(other, 1)
        ? larger
        : larger.times(smaller(ONE, smaller(one, other)));
  }

  /**
   * {@return the size of which there are two expressions}
   *
   * @param operator the operator that needs equal sizes
   * @param one an expression
   * @param other another expression
   */
  SizeExpression sameSize(String operator, SizeExpression one, SizeExpression other) {
    requirements.check(operator, one, other, false);
    return simpler(one, other);
  }

  /** {@return one of two equal sizes: a known one, a constant, or else the shorter expression} */
  private SizeExpression simpler(SizeExpression one, SizeExpression other) {
    if (one.equals(other)) {
      return one;
    }
    if (isUnknown(one) != isUnknown(other)) {
      return isUnknown(one) ? other : one;
    }
    if (one.constant().isPresent() || other.constant().isPresent()) {
      return one.constant().isPresent() ? one : other;
    }
    return other.toString().length() < one.toString().length() ? other : one;
  }

  /** {@return sentences on shapes of the ranges for which the model is invalid} */
  List<String> violations() {
    return requirements.violations();
  }

  /**
   * {@return a quotient, rounded down}
   *
   * @throws UnknownShapeException if the divisor may be 0 or negative
   */
  SizeExpression floorDivide(SizeExpression dividend, SizeExpression divisor) {
    if (!isAtLeast(divisor, 1)) {
      throw new UnknownShapeException(causeOf(dividend, divisor));
    }
    return dividend.floorDivide(divisor);
  }
}
