package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random problems with records in place of others.
 *
 * <p>The lowest bits of a seed determine the features of a problem, so that all combinations are
 * equally frequent. Some records start at the last task of another and have the same size, as
 * results of operators that work in place. Some pairs have no effect, because of sizes or gaps.
 */
public final class InPlaceProblems {

  private final Random random;
  private final boolean hasAlignments;
  private final boolean hasPins;
  private final boolean hasGaps;
  private final boolean hasLongChains;
  private final int maxBytes;
  private final int maxTasks;
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final List<InPlace> pairs = new ArrayList<>();

  private InPlaceProblems(long seed, int maxBytes) {
    random = new Random(seed);
    hasAlignments = (seed & 1) != 0;
    hasPins = (seed & 2) != 0;
    hasGaps = (seed & 4) != 0;
    hasLongChains = (seed & 8) != 0;
    this.maxBytes = maxBytes;
    maxTasks = 1 + random.nextInt(4);
  }

  /** {@return a problem of up to {@code maxRecords}, each of up to {@code maxBytes} bytes} */
  public static PlanProblem of(long seed, int maxRecords, int maxBytes) {
    return new InPlaceProblems(seed, maxBytes).problem(maxRecords);
  }

  private PlanProblem problem(int maxRecords) {
    int count = 1 + random.nextInt(maxRecords);
    int tasks = 1 + random.nextInt(Math.max(2, count));
    for (int i = 0; i < count; i++) {
      if (i > 0 && random.nextInt(5) < 4) {
        int source = hasLongChains ? i - 1 : random.nextInt(i);
        addAfter(source);
      } else {
        int first = random.nextInt(tasks);
        records.add(constrained(random.nextInt(maxBytes + 1), first, first + lastTask()));
      }
    }
    return shuffled();
  }

  private int lastTask() {
    return random.nextInt(maxTasks);
  }

  /** Adds a record that starts at the last task of another. */
  private void addAfter(int source) {
    TensorUsageRecord before = records.get(source);
    long bytes = random.nextInt(3) > 0 ? before.bytes() : random.nextInt(maxBytes + 1);
    long first = before.lastTask();
    pairs.add(new InPlace(records.size(), source));
    records.add(constrained(bytes, first, first + lastTask()));
  }

  private TensorUsageRecord constrained(long bytes, long first, long last) {
    TensorUsageRecord record = TensorUsageRecord.of(bytes, first, last);
    if (hasAlignments && random.nextBoolean()) {
      record = record.withAlignment(1 + random.nextInt(4));
    }
    if (hasPins && random.nextInt(5) == 0) {
      record = record.pinnedAt(random.nextInt(3) * record.alignment());
    }
    if (random.nextInt(5) == 0) {
      record = record.withHint(random.nextInt(6));
    }
    if (hasGaps && random.nextBoolean()) {
      long from = first + random.nextLong(last - first + 1);
      long to = from + random.nextLong(last - from + 1);
      long start = random.nextLong(bytes + 1);
      record =
          record.withGaps(
              List.of(
                  random.nextBoolean()
                      ? Gap.of(from, to)
                      : new Gap(from, to, start, start + random.nextLong(bytes - start + 1))));
    }
    return record;
  }

  /** {@return the problem with its records in a random order} */
  private PlanProblem shuffled() {
    List<Integer> order = new ArrayList<>(IntStream.range(0, records.size()).boxed().toList());
    Collections.shuffle(order, random);
    long alignment = hasAlignments && random.nextInt(4) == 0 ? 2 : 1;
    List<TensorUsageRecord> aligned = new ArrayList<>();
    for (TensorUsageRecord record : records) {
      boolean isMisaligned = record.pinnedOffset().orElse(0) % alignment != 0;
      aligned.add(isMisaligned ? record.pinnedAt(2 * record.alignment()) : record);
    }
    return PlanProblem.of(aligned).withAlignment(alignment).withInPlace(pairs).subset(order);
  }
}
