package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares expressions and proofs with trees that are evaluated at all points of small boxes. */
class SizeExpressionRandomTest {

  static LongStream seeds() {
    return Seeds.of(400);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void evaluate_anyExpression_isValueOfTree(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      RandomExpressions.Tree tree = new RandomExpressions(random).next(random.nextInt(1, 5));
      SizeExpression expression = tree.expression();
      SizeExpression parsed = SizeExpression.parse(tree.text());
      SizeExpression readBack = SizeExpression.parse(expression.toString());
      assertThat(readBack).as(tree.text()).isEqualTo(expression).hasSameHashCodeAs(expression);
      for (DimensionValues values : points(4, 4, 4)) {
        long value = tree.value(values);
        assertThat(expression.evaluate(values))
            .as("%s at %s", tree.text(), values)
            .isEqualTo(value);
        assertThat(parsed.evaluate(values)).as("%s at %s", tree.text(), values).isEqualTo(value);
        assertThat(PositiveBounds.below(expression.polynomial()).orElse(Long.MIN_VALUE))
            .isLessThanOrEqualTo(value);
        assertThat(PositiveBounds.above(expression.polynomial()).orElse(Long.MAX_VALUE))
            .isGreaterThanOrEqualTo(value);
      }
      long fixed = random.nextInt(1, 5);
      SizeExpression substituted = expression.substitute("b", SizeExpression.of(fixed));
      assertThat(substituted.dimensions()).doesNotContain("b");
      for (DimensionValues values : points(3, 1, 3)) {
        assertThat(substituted.evaluate(values))
            .isEqualTo(expression.evaluate(values.with("b", fixed)));
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void isNotNegative_anyExpression_isDecidedAsByAllPoints(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 10; i++) {
      RandomExpressions.Tree tree = new RandomExpressions(random).next(random.nextInt(1, 5));
      long first = random.nextInt(1, 4);
      DimensionRanges ranges =
          DimensionRanges.of(
              new DimensionRange("a", first, first + random.nextInt(6)),
              new DimensionRange("b", 1, random.nextInt(1, 7)),
              new DimensionRange("c", 2, 2 + random.nextInt(4)));
      long smallest = Long.MAX_VALUE;
      for (DimensionValues values : ShapePoints.of(ranges)) {
        smallest = Math.min(smallest, tree.value(values));
      }
      SizeExpression expression = tree.expression();
      // Shifts so that about half of the statements hold, often without room to spare.
      SizeExpression shifted = expression.plus(-smallest - random.nextInt(2));
      switch (ShapeProver.of(ranges).proveNotNegative(shifted)) {
        case ShapeProof.Proved proved ->
            assertThat(ShapePoints.of(ranges)).allMatch(values -> shifted.evaluate(values) >= 0);
        case ShapeProof.Refuted refuted ->
            assertThat(shifted.evaluate(refuted.counterexample())).isNegative();
        case ShapeProof.Undecided undecided ->
            throw new AssertionError("undecided: " + shifted + " in " + ranges);
      }
      Interval bounds = ShapeBox.of(ranges).bounds(expression.polynomial());
      assertThat(bounds.first()).isLessThanOrEqualTo(smallest);
      for (String name : RandomExpressions.NAMES) {
        checkDirection(shifted, name, ranges);
      }
    }
  }

  private static void checkDirection(
      SizeExpression expression, String name, DimensionRanges ranges) {
    Direction direction = Direction.of(expression.polynomial(), name, ShapeBox.of(ranges));
    long last = ranges.range(name).orElseThrow().last();
    for (DimensionValues values : ShapePoints.of(ranges)) {
      if (values.get(name) < last) {
        long change =
            expression.evaluate(values.with(name, values.get(name) + 1))
                - expression.evaluate(values);
        switch (direction) {
          case UP -> assertThat(change).isNotNegative();
          case DOWN -> assertThat(change).isNotPositive();
          case CONSTANT -> assertThat(change).isZero();
          case UNKNOWN -> {}
        }
      }
    }
  }

  private static List<DimensionValues> points(long a, long b, long c) {
    return ShapePoints.of(
        DimensionRanges.of(
            new DimensionRange("a", 1, a),
            new DimensionRange("b", 1, b),
            new DimensionRange("c", 1, c)));
  }
}
