package dev.stowage.plan.shapes;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small random problems with sizes that depend on up to three dimensions. */
public final class RandomSymbolicProblems {

  private final Random random;

  public RandomSymbolicProblems(Random random) {
    this.random = random;
  }

  public SymbolicProblem next() {
    DimensionRanges ranges =
        DimensionRanges.of(
            new DimensionRange("a", 1, random.nextInt(1, 7)),
            new DimensionRange("b", 2, random.nextInt(2, 6)),
            new DimensionRange("c", 1, random.nextInt(1, 4)));
    int tasks = random.nextInt(1, 8);
    int count = random.nextInt(1, 9);
    long alignment = random.nextInt(3) == 0 ? random.nextInt(1, 5) : 1;
    List<SymbolicRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long first = random.nextInt(tasks);
      long last = Math.min(tasks - 1, first + random.nextInt(4));
      TensorUsageRecord record =
          TensorUsageRecord.of(0, first, last).withName(i % 2 == 0 ? "" : "t" + i);
      if (random.nextInt(4) == 0) {
        record = record.withAlignment(random.nextInt(1, 9));
      }
      if (last - first > 1 && random.nextInt(3) == 0) {
        record = record.withGaps(List.of(Gap.of(first + 1, last - 1)));
      }
      records.add(SymbolicRecord.of(size(), record));
    }
    return new SymbolicProblem(records, ranges, alignment);
  }

  private SizeExpression size() {
    SizeExpression a = SizeExpression.dimension("a");
    SizeExpression b = SizeExpression.dimension("b");
    SizeExpression c = SizeExpression.dimension("c");
    return switch (random.nextInt(8)) {
      case 0 -> SizeExpression.of(random.nextInt(20));
      case 1 -> a.times(random.nextInt(1, 5));
      case 2 -> a.times(b).times(random.nextInt(1, 3));
      case 3 -> b.times(c).plus(random.nextInt(4));
      case 4 -> a.times(b).times(c);
      case 5 -> a.times(3).floorDivide(2).plus(c);
      case 6 -> b.times(b).max(a.times(4));
      default ->
          new RandomExpressions(random)
              .next(random.nextInt(1, 4))
              .expression()
              .max(SizeExpression.ZERO);
    };
  }
}
