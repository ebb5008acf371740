package dev.stowage.plan.shapes;

import java.math.BigInteger;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An immutable whole number that depends on dimensions: {@code 2*batch*seq + 64}.
 *
 * <p>Intermediate results may be of any size. Two expressions are equal if they have the same text.
 */
public final class SizeExpression {

  private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

  private static final BigInteger SMALLEST = BigInteger.valueOf(Long.MIN_VALUE);

  private final String text;
  private final ExpressionNode root;
  private final Set<String> dimensions;

  SizeExpression(String text, ExpressionNode root, Set<String> dimensions) {
    this.text = text;
    this.root = root;
    this.dimensions = Set.copyOf(dimensions);
  }

  /**
   * {@return a constant}
   *
   * @param value the value
   */
  public static SizeExpression of(long value) {
    return parse(Long.toString(value));
  }

  /**
   * Reads an expression.
   *
   * <p>An expression consists of whole numbers, dimensions, {@code + - * /} and parentheses. A
   * division rounds down. Functions: {@code floor(a/b)}, {@code ceil(a/b)}, {@code max(a, b, …)},
   * {@code min(a, b, …)} and {@code roundup(a, n)}, the smallest multiple of n that is at least a.
   * The name of a dimension consists of letters, digits, {@code _} and {@code .}, and does not
   * start with a digit. Any other name is written in single quotes, with each quote in it doubled.
   *
   * @param text the expression
   * @return the expression
   * @throws IllegalArgumentException if the text is not an expression, has more than 10,000
   *     characters or more than 200 parentheses within each other, or is a constant without a value
   *     from -2^63 to 2^63 - 1
   */
  public static SizeExpression parse(String text) {
    SizeExpression expression = new ExpressionParser(text).parse();
    if (expression.dimensions.isEmpty()) {
      try {
        expression.evaluate(DimensionValues.of(Map.of()));
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "expression '" + ExpressionParser.shortened(text) + "' has no value: " + e.getMessage(),
            e);
      }
    }
    return expression;
  }

  /** {@return the dimensions that the expression names} */
  public Set<String> dimensions() {
    return dimensions;
  }

  /** {@return the value if the expression names no dimension} */
  public OptionalLong constant() {
    return dimensions.isEmpty()
        ? OptionalLong.of(evaluate(DimensionValues.of(Map.of())))
        : OptionalLong.empty();
  }

  /**
   * {@return the value for a shape}
   *
   * @param shape a value for each dimension of the expression
   * @throws IllegalArgumentException if a dimension has no value
   * @throws ArithmeticException if the value does not fit a {@code long}, or a divisor is not
   *     positive
   */
  public long evaluate(DimensionValues shape) {
    return fitting(root.bounds(name -> Interval.of(BigInteger.valueOf(shape.get(name)))).first());
  }

  /**
   * {@return a number that no value within some ranges exceeds}
   *
   * <p>It is the largest value if each dimension occurs once, or if the expression has no
   * subtraction and no division by a dimension. Otherwise it may be larger.
   *
   * @param ranges the range of each dimension of the expression
   * @throws IllegalArgumentException if a dimension has no range
   * @throws ArithmeticException if the number does not fit a {@code long}, or a divisor may be 0 or
   *     negative
   */
  public long largest(DimensionRanges ranges) {
    return fitting(bounds(ranges).last());
  }

  /**
   * {@return a number that no value within some ranges is below}
   *
   * @param ranges the range of each dimension of the expression
   * @throws IllegalArgumentException as for {@link #largest}
   * @throws ArithmeticException as for {@link #largest}
   */
  public long smallest(DimensionRanges ranges) {
    return fitting(bounds(ranges).first());
  }

  private Interval bounds(DimensionRanges ranges) {
    return root.bounds(name -> {
      DimensionRange range =
          ranges
              .range(name)
              .orElseThrow(
                  () -> new IllegalArgumentException("dimension '" + name + "' has no range"));
      return new Interval(BigInteger.valueOf(range.first()), BigInteger.valueOf(range.last()));
    });
  }

  private static long fitting(BigInteger value) {
    if (value.compareTo(LARGEST) > 0 || value.compareTo(SMALLEST) < 0) {
      throw new ArithmeticException("the value must be from -2^63 to 2^63 - 1");
    }
    return value.longValue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SizeExpression that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** {@return the text, which {@link #parse} reads} */
  @Override
  public String toString() {
    return text;
  }
}
