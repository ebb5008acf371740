package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Random problems of a few records, small enough for exhaustive enumeration.
 *
 * <p>The lowest bits of a seed determine the features of a problem, so that all combinations are
 * equally frequent.
 */
public final class SmallProblems {

  private final Random random;
  private final boolean hasAlignments;
  private final boolean hasAlignmentOfAll;
  private final boolean hasPins;
  private final boolean hasGaps;
  private final boolean hasZeroBytes;
  private final int count;
  private final int tasks;
  private final int maxTasks;
  private final long[] sizes;

  private SmallProblems(long seed, int maxRecords, int maxBytes) {
    random = new Random(seed);
    hasAlignments = (seed & 1) != 0;
    hasPins = (seed & 2) != 0;
    hasGaps = (seed & 4) != 0;
    hasAlignmentOfAll = (seed & 8) != 0;
    hasZeroBytes = (seed & 16) != 0;
    count = maxRecords - Math.min(random.nextInt(maxRecords + 1), random.nextInt(maxRecords));
    tasks = 1 + random.nextInt(7);
    maxTasks = 1 + random.nextInt(tasks);
    sizes = random.longs(1 + random.nextInt(5), 1, maxBytes + 1).toArray();
  }

  /** {@return a problem of up to {@code maxRecords}, each of up to {@code maxBytes} bytes} */
  public static PlanProblem of(long seed, int maxRecords, int maxBytes) {
    return new SmallProblems(seed, maxRecords, maxBytes).problem(false);
  }

  /** {@return a problem in which some gaps have windows} */
  public static PlanProblem withWindows(long seed, int maxRecords, int maxBytes) {
    return new SmallProblems(seed | 4, maxRecords, maxBytes).problem(true);
  }

  /**
   * {@return a problem of records of nearly the same size, some of them aligned}
   *
   * <p>For such problems, shared objects often result in a smaller arena than greedy placement.
   */
  public static PlanProblem ofSimilarSizes(long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(40);
    long smallest = 1L + random.nextInt(40);
    int spread = 1 + random.nextInt(10);
    boolean hasAlignments = random.nextBoolean();
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(count + 2);
      TensorUsageRecord record =
          TensorUsageRecord.of(smallest + random.nextInt(spread), first, first + random.nextInt(5));
      records.add(
          hasAlignments && random.nextInt(4) == 0
              ? record.withAlignment(1 + random.nextInt(6))
              : record);
    }
    return PlanProblem.of(records);
  }

  /** {@return a problem with all bytes multiplied by {@code factor}} */
  public static PlanProblem scaled(PlanProblem problem, long factor) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (TensorUsageRecord record : problem.records()) {
      TensorUsageRecord scaled =
          TensorUsageRecord.of(record.bytes() * factor, record.firstTask(), record.lastTask())
              .withAlignment(record.alignment() * factor)
              .withGaps(record.gaps());
      records.add(
          record.pinnedOffset().isPresent()
              ? scaled.pinnedAt(record.pinnedOffset().getAsLong() * factor)
              : scaled);
    }
    return new PlanProblem(records, problem.alignment() * factor, Optional.empty());
  }

  /**
   * {@return a problem of records with up to 2^63 - 1 bytes in total, and with arbitrary hints}
   *
   * <p>The gaps have no windows.
   */
  public static PlanProblem hugeWithHints(long seed, int maxRecords) {
    PlanProblem small = of(seed, maxRecords, 9);
    long totalBytes = ExhaustivePlans.lastPinnedEnd(small);
    for (TensorUsageRecord record : small.records()) {
      totalBytes += record.bytes() + ExhaustivePlans.alignment(small, record);
    }
    PlanProblem huge = scaled(small, Long.MAX_VALUE / Math.max(1, totalBytes));
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (TensorUsageRecord record : huge.records()) {
      long unit = huge.records().get(random.nextInt(huge.records().size())).bytes();
      records.add(
          switch (random.nextInt(6)) {
            case 0 -> record;
            case 1 -> record.withHint(unit);
            case 2 -> record.withHint(Long.MAX_VALUE - random.nextInt(3));
            case 3 -> record.withHint(Long.MAX_VALUE - record.bytes() + random.nextInt(3) - 1);
            case 4 -> record.withHint(huge.naiveBytes() - record.bytes());
            default -> record.withHint(random.nextLong());
          });
    }
    return new PlanProblem(records, huge.alignment(), Optional.empty());
  }

  private PlanProblem problem(boolean windows) {
    long alignmentOfAll = hasAlignmentOfAll ? 1 + random.nextInt(4) : 1;
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long bytes = sizes[random.nextInt(sizes.length)];
      if (hasZeroBytes && random.nextInt(4) == 0) {
        bytes = 0;
      }
      int first = random.nextInt(tasks);
      int last = Math.min(tasks - 1, first + random.nextInt(maxTasks));
      TensorUsageRecord record = TensorUsageRecord.of(bytes, first, last);
      if (hasAlignments && random.nextBoolean()) {
        record = record.withAlignment(1 + random.nextInt(6));
      }
      if (hasPins && random.nextInt(3) == 0) {
        PlanProblem alone = PlanProblem.of(List.of()).withAlignment(alignmentOfAll);
        long multiple = ExhaustivePlans.alignment(alone, record);
        record = record.pinnedAt(random.nextInt(1 + (int) (20 / multiple)) * multiple);
      }
      records.add(
          hasGaps && random.nextBoolean() ? record.withGaps(gaps(record, windows)) : record);
    }
    return new PlanProblem(records, alignmentOfAll, Optional.empty());
  }

  /** {@return up to two gaps, which may begin and end with the lifetime} */
  private List<Gap> gaps(TensorUsageRecord record, boolean windows) {
    List<Gap> gaps = new ArrayList<>();
    long from = record.firstTask();
    for (int k = random.nextInt(3); k > 0 && from <= record.lastTask(); k--) {
      long first = from + random.nextLong(record.lastTask() - from + 1);
      long last = first + random.nextLong(record.lastTask() - first + 1);
      if (windows && random.nextInt(3) > 0) {
        long start = random.nextLong(record.bytes() + 1);
        long end = start + random.nextLong(record.bytes() - start + 1);
        gaps.add(new Gap(first, last, start, end));
      } else {
        gaps.add(Gap.of(first, last));
      }
      from = last + 1;
    }
    return gaps;
  }
}
