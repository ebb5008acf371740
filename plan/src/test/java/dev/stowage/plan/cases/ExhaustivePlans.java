package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The smallest arena of a small problem, by exhaustive enumeration, without code of the planner.
 *
 * <p>The two enumerations share only {@link #neededBytes}.
 */
public final class ExhaustivePlans {

  private ExhaustivePlans() {}

  /** {@return the start and the end of the bytes that a record needs at a task, from its offset} */
  public static long[] neededBytes(TensorUsageRecord record, long task) {
    if (task < record.firstTask() || task > record.lastTask()) {
      return new long[] {0, 0};
    }
    for (Gap gap : record.gaps()) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return new long[] {gap.windowStart(), gap.windowEnd()};
      }
    }
    return new long[] {0, record.bytes()};
  }

  /** {@return true if a record needs a byte at a task} */
  public static boolean isLive(TensorUsageRecord record, long task) {
    long[] needed = neededBytes(record, task);
    return needed[0] < needed[1];
  }

  /** {@return the last task of all records, -1 without records} */
  public static long lastTask(List<TensorUsageRecord> records) {
    return records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1);
  }

  /** {@return the maximum end of the pinned records, 0 if there are none} */
  public static long lastPinnedEnd(PlanProblem problem) {
    return problem.records().stream()
        .filter(record -> record.pinnedOffset().isPresent())
        .mapToLong(record -> record.pinnedOffset().getAsLong() + record.bytes())
        .max()
        .orElse(0);
  }

  /** {@return the smallest multiple of {@code alignment} that is at least {@code offset}} */
  public static long roundUp(long offset, long alignment) {
    return (offset + alignment - 1) / alignment * alignment;
  }

  /** {@return the least common multiple of a record's alignment and that of all records} */
  public static long alignment(PlanProblem problem, TensorUsageRecord record) {
    long alignment = record.alignment();
    while (alignment % problem.alignment() != 0) {
      alignment += record.alignment();
    }
    return alignment;
  }

  /**
   * {@return the smallest arena of records whose gaps have no windows, by all orders}
   *
   * <p>For each order, the records are placed at their lowest free offsets, pinned ones first. One
   * of the orders yields an optimum. Proof: of all optimal plans, take one with the minimum sum of
   * offsets, and place its records by ascending offset. The offset that a record has in the plan is
   * free when the record is placed. If a lower offset were also free, moving the record there would
   * keep the plan valid: earlier records do not overlap that place, and later records that conflict
   * with the record start at or above its old end. The sum would then be smaller, a contradiction.
   * Each record therefore gets its offset of the plan.
   */
  public static long byOrders(PlanProblem problem) {
    return new Orders(problem).best();
  }

  private static final class Orders {

    private final List<TensorUsageRecord> records;
    private final boolean[][] conflicts;
    private final long[] alignments;
    private final long[] offsets;
    private final boolean[] placed;
    private final long start;

    /** A lower bound: the maximum bytes of movable records live at one task. */
    private final long lowerBound;

    private long best = Long.MAX_VALUE;

    Orders(PlanProblem problem) {
      records = problem.records();
      int count = records.size();
      conflicts = new boolean[count][count];
      alignments = new long[count];
      offsets = new long[count];
      placed = new boolean[count];
      long end = lastPinnedEnd(problem);
      for (int i = 0; i < count; i++) {
        TensorUsageRecord record = records.get(i);
        alignments[i] = alignment(problem, record);
        placed[i] = record.pinnedOffset().isPresent() || record.bytes() == 0;
        offsets[i] = record.pinnedOffset().orElse(0);
        for (int j = 0; j < count; j++) {
          conflicts[i][j] = conflict(record, records.get(j));
        }
      }
      start = end;
      lowerBound =
          LongStream.rangeClosed(0, lastTask(records)).map(this::movableBytes).max().orElse(0);
    }

    private long movableBytes(long task) {
      return records.stream()
          .filter(record -> record.pinnedOffset().isEmpty() && isLive(record, task))
          .mapToLong(TensorUsageRecord::bytes)
          .sum();
    }

    private static boolean conflict(TensorUsageRecord a, TensorUsageRecord b) {
      for (long task = a.firstTask(); task <= a.lastTask(); task++) {
        if (isLive(a, task) && isLive(b, task)) {
          return true;
        }
      }
      return false;
    }

    long best() {
      placeAll(start);
      return best;
    }

    private void placeAll(long end) {
      if (end >= best || best == lowerBound) {
        return;
      }
      boolean all = true;
      for (int i = 0; i < placed.length; i++) {
        if (!placed[i]) {
          all = false;
          offsets[i] = lowestFree(i);
          placed[i] = true;
          placeAll(Math.max(end, offsets[i] + records.get(i).bytes()));
          placed[i] = false;
        }
      }
      if (all) {
        best = end;
      }
    }

    private long lowestFree(int record) {
      long offset = 0;
      for (boolean moved = true; moved; ) {
        moved = false;
        for (int other = 0; other < placed.length; other++) {
          long end = offsets[other] + records.get(other).bytes();
          if (placed[other]
              && conflicts[record][other]
              && offset < end
              && offsets[other] < offset + records.get(record).bytes()) {
            offset = roundUp(end, alignments[record]);
            moved = true;
          }
        }
      }
      return offset;
    }
  }

  /**
   * {@return the smallest arena, of at most 63 bytes, by all offsets}
   *
   * <p>For each capacity from 0 on, tries each record at each offset, with one bit for each byte.
   */
  public static long byOffsets(PlanProblem problem) {
    for (int capacity = 0; capacity < 64; capacity++) {
      if (lastPinnedEnd(problem) <= capacity && new Bits(problem, capacity).fits()) {
        return capacity;
      }
    }
    throw new AssertionError("does not fit into 63 bytes: " + problem);
  }

  private static final class Bits {

    private final PlanProblem problem;
    private final int capacity;

    /** For each task, a bit for each byte. */
    private final long[] taken;

    Bits(PlanProblem problem, int capacity) {
      this.problem = problem;
      this.capacity = capacity;
      taken = new long[(int) lastTask(problem.records()) + 1];
    }

    boolean fits() {
      for (TensorUsageRecord record : problem.records()) {
        if (record.pinnedOffset().isPresent()) {
          int offset = (int) record.pinnedOffset().getAsLong();
          for (int task = 0; task < taken.length; task++) {
            taken[task] |= bits(record, task) << offset;
          }
        }
      }
      return fits(0);
    }

    private boolean fits(int index) {
      if (index == problem.records().size()) {
        return true;
      }
      TensorUsageRecord record = problem.records().get(index);
      if (record.pinnedOffset().isPresent()) {
        return fits(index + 1);
      }
      long alignment = alignment(problem, record);
      for (long offset = 0; offset + record.bytes() <= capacity; offset += alignment) {
        if (isFree(record, offset)) {
          toggle(record, offset);
          boolean fits = fits(index + 1);
          toggle(record, offset);
          if (fits) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean isFree(TensorUsageRecord record, long offset) {
      for (int task = 0; task < taken.length; task++) {
        if ((taken[task] & bits(record, task) << offset) != 0) {
          return false;
        }
      }
      return true;
    }

    /** Takes the bytes of a record, or releases them. */
    private void toggle(TensorUsageRecord record, long offset) {
      for (int task = 0; task < taken.length; task++) {
        taken[task] ^= bits(record, task) << offset;
      }
    }

    private static long bits(TensorUsageRecord record, int task) {
      long[] needed = neededBytes(record, task);
      return (1L << needed[1]) - (1L << needed[0]);
    }
  }

  /** {@return the offsets of the records one after the other, above all pinned ones} */
  public static long[] stacked(PlanProblem problem) {
    long[] offsets = new long[problem.records().size()];
    long end = lastPinnedEnd(problem);
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = problem.records().get(i);
      if (record.pinnedOffset().isPresent()) {
        offsets[i] = record.pinnedOffset().getAsLong();
      } else if (record.bytes() > 0) {
        offsets[i] = roundUp(end, alignment(problem, record));
        end = offsets[i] + record.bytes();
      }
    }
    return offsets;
  }

  /** {@return true if a record needs a byte at any task} */
  public static boolean isNeeded(TensorUsageRecord record) {
    for (long task = record.firstTask(); task <= record.lastTask(); task++) {
      if (isLive(record, task)) {
        return true;
      }
    }
    return false;
  }

  /** {@return a problem without the movable records that need no byte at any task} */
  public static PlanProblem ofNeededRecords(PlanProblem problem) {
    List<TensorUsageRecord> needed =
        problem.records().stream()
            .filter(record -> record.pinnedOffset().isPresent() || isNeeded(record))
            .toList();
    return new PlanProblem(needed, problem.alignment(), Optional.empty());
  }

  /**
   * {@return the indices of the records to place: not pinned, and with at least one byte needed}
   */
  public static int[] movable(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    return IntStream.range(0, records.size())
        .filter(i -> records.get(i).pinnedOffset().isEmpty() && isNeeded(records.get(i)))
        .toArray();
  }

  /** {@return the indices of the pinned records that need a byte} */
  public static int[] pinned(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    return IntStream.range(0, records.size())
        .filter(i -> records.get(i).pinnedOffset().isPresent() && isNeeded(records.get(i)))
        .toArray();
  }
}
