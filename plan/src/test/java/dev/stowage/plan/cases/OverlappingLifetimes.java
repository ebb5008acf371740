package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Problems of one partition: overlapping short lifetimes and a few long ones. */
public final class OverlappingLifetimes {

  private OverlappingLifetimes() {}

  /**
   * {@return a problem}
   *
   * @param constrained true for some records with alignments, pins and gaps
   */
  public static PlanProblem problem(long seed, int count, boolean constrained) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long first = i / 3;
      long length = random.nextInt(40) == 0 ? random.nextInt(300) : 2 + random.nextInt(4);
      TensorUsageRecord record =
          TensorUsageRecord.of(64L * random.nextInt(200), first, first + length);
      if (constrained && random.nextInt(20) == 0) {
        record = record.withAlignment(96);
      } else if (constrained && random.nextInt(400) == 0) {
        record = record.pinnedAt(64L * random.nextInt(3000));
      } else if (constrained && random.nextInt(20) == 0) {
        record = record.withGaps(List.of(Gap.of(first, first + length / 2)));
      }
      records.add(record);
    }
    return PlanProblem.of(records);
  }
}
