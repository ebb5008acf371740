package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class BucketArenaTest {

  /** The first record is largest for n = 10, the second one for n = 1 and n = 20. */
  private static long bytes(BooleanSupplier stop) {
    SymbolicProblem problem =
        new SymbolicProblem(
            List.of(
                SymbolicRecord.of(SizeExpression.parse("n*(20 - n)"), 0, 1),
                SymbolicRecord.of(SizeExpression.parse("max(n, 21 - n)"), 1, 2)),
            DimensionRanges.of(new DimensionRange("n", 1, 20)),
            1);
    RecordStack stack = new OrderFit(problem).stack(new int[] {0, 1});
    return new BucketArena(problem, stack, stop).bytes(problem.ranges());
  }

  @Test
  void bytes_enoughTime_areThoseOfTheWorstShape() {
    assertThat(bytes(() -> false)).isEqualTo(111); // n = 10: 100 + 11
  }

  @Test
  void bytes_noTime_areTheSumOfTheLargestSizes() {
    assertThat(bytes(() -> true)).isGreaterThanOrEqualTo(120); // 100 + 20
  }
}
