package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeProverTest {

  private static final DimensionRanges LARGE =
      DimensionRanges.of(
          new DimensionRange("a", 1, 1_000_000_000),
          new DimensionRange("b", 1, 1_000_000_000),
          new DimensionRange("c", 2, 1_000_000_000));

  private static ShapeProof prove(String expression) {
    return ShapeProver.of(LARGE).proveNotNegative(SizeExpression.parse(expression));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a*b - a - b + 1",
        "64*floor((a + 63)/64) - a",
        "a + 63 - 64*floor((a + 63)/64)",
        "max(a, b) - a",
        "a + b - max(a, b)",
        "a*max(b, c) - a*b",
        "a - min(a, b)",
        "8*a*b*c*c - 4*a*b*c",
        "a - floor(a/c)*c",
        "a - floor(a/c)",
        "max(a - b, b - a)",
        "roundup(a*b, 64) + roundup(c, 32) - a*b - c",
      })
  void isNotNegative_trueForAllShapesOfHugeRanges_isProved(String expression) {
    assertThat(prove(expression).isProved()).as(expression).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a - 2;a - 2 is -1",
        "a*b - 1000000000*a;a*b - 1000000000*a is -999999999000000000",
        "999999999*999999999 - a*b;-a*b + 999999998000000001 is -1999999999",
        "a/(b - 1);the divisor b - 1 is 0",
      })
  void isNotNegative_falseForAShape_isRefuted(String expression, String reason) {
    assertThat(prove(expression))
        .isInstanceOfSatisfying(
            ShapeProof.Refuted.class, refuted -> assertThat(refuted.reason()).isEqualTo(reason));
  }

  @Test
  void isNotNegative_zeroAlongADiagonal_isUndecidedForHugeRanges() {
    String square = "a*a - 2*a*b + b*b";

    assertThat(prove(square))
        .isInstanceOfSatisfying(
            ShapeProof.Undecided.class,
            undecided ->
                assertThat(undecided.reason())
                    .isEqualTo("not decided after 20000 boxes: " + square + " >= 0"));
    DimensionRanges small =
        DimensionRanges.of(new DimensionRange("a", 1, 300), new DimensionRange("b", 1, 300));
    assertThat(ShapeProver.of(small).proveNotNegative(SizeExpression.parse(square)).isProved())
        .isTrue();
    assertThat(
            ShapeProver.of(small)
                .withBoxLimit(10)
                .proveNotNegative(SizeExpression.parse(square))
                .isProved())
        .isFalse();
  }

  @Test
  void isNotNegative_valuesBeyondALong_areProvedOrUndecided() {
    assertThat(prove("a*a*a*b*b*b - 1").isProved()).isTrue();
    assertThat(prove("1 - a*a*a*b*b*b")).isInstanceOf(ShapeProof.Refuted.class);
    assertThat(prove("a*a*a*b*b*b - a*a*a*b*b*b*c/2").isProved()).isFalse();
  }

  /** The bounds of each maximum are computed once, not once for each maximum around it. */
  @Test
  void isNotNegative_maximumsWithinEachOther_takeLinearTime() {
    String nested = "a";
    for (int i = 0; i < 30; i++) {
      nested = "max(" + nested + " - b, min(c, a - " + i + "))*2";
    }

    assertThat(prove(nested)).isInstanceOf(ShapeProof.Refuted.class);
  }

  @Test
  void isNotNegative_dimensionWithoutARange_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> prove("x"))
        .withMessage("dimension 'x' has no range");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShapeProver.of(LARGE).withBoxLimit(0))
        .withMessage("boxes must be positive: boxes=0");
  }
}
