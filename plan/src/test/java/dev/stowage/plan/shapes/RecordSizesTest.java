package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecordSizesTest {

  private static final SymbolicProblem PROBLEM =
      new SymbolicProblem(
          List.of(
              SymbolicRecord.of(SizeExpression.parse("8*n"), 0, 1),
              SymbolicRecord.of(SizeExpression.parse("max(n, 5)"), 1, 2),
              SymbolicRecord.of(SizeExpression.parse("4*n + 4*n"), 2, 3)),
          DimensionRanges.of(new DimensionRange("n", 1, 9)),
          1);

  @Test
  void at_aShape_hasTheSizeOfEachRecord() {
    assertThat(PROBLEM.bytesAt(DimensionValues.of("n", 3))).containsExactly(24, 5, 24);
  }

  @Test
  void at_shapes_hasThemForEachRecordAndSharesEqualOnes() {
    long[][] sizes =
        PROBLEM.bytesAt(List.of(DimensionValues.of("n", 1), DimensionValues.of("n", 9)));

    assertThat(sizes[0]).containsExactly(8, 72);
    assertThat(sizes[1]).containsExactly(5, 9);
    assertThat(sizes[2]).isSameAs(sizes[0]);
  }

  @Test
  void at_shapeOutside_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROBLEM.bytesAt(DimensionValues.of("n", 10)))
        .withMessage("the shape is not within the ranges: shape n=10, ranges n=1..9");
  }
}
