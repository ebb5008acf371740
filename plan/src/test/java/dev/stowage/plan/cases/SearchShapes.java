package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Shapes of lifetimes that require much work of a search. */
public enum SearchShapes {
  STAIRCASE {
    @Override
    TensorUsageRecord record(int i, int count, long bytes, Random random) {
      return TensorUsageRecord.of(bytes, i, i + count / 10);
    }
  },
  NESTED {
    @Override
    TensorUsageRecord record(int i, int count, long bytes, Random random) {
      return TensorUsageRecord.of(bytes, i, 2L * count - i);
    }
  },
  RANDOM {
    @Override
    TensorUsageRecord record(int i, int count, long bytes, Random random) {
      int a = random.nextInt(2 * count);
      int b = random.nextInt(2 * count);
      return TensorUsageRecord.of(bytes, Math.min(a, b), Math.max(a, b));
    }
  },
  WINDOWS {
    @Override
    TensorUsageRecord record(int i, int count, long bytes, Random random) {
      long first = random.nextInt(count);
      Gap gap = new Gap(first + 3, first + 3 + count / 4, bytes / 3, bytes / 2);
      return TensorUsageRecord.of(bytes, first, first + count / 2).withGaps(List.of(gap));
    }
  };

  abstract TensorUsageRecord record(int i, int count, long bytes, Random random);

  /** {@return a problem of {@code count} records, the same each time} */
  public PlanProblem problem(int count) {
    Random random = new Random(count);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(record(i, count, 16L + 8L * random.nextInt(4000), random));
    }
    return PlanProblem.of(records);
  }
}
