package dev.stowage.core.plan.bounds;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.Alignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The bytes that aligned records need together, with the padding between them.
 *
 * @param task a task
 * @param alignmentBytes every offset of the records is a multiple of this
 * @param records movable records that need all of their bytes at the task
 * @param bytes no arena of them is smaller
 */
record PaddedLoad(long task, long alignmentBytes, List<Integer> records, long bytes) {

  /*
   * Of records that are live at one task, each starts at a multiple of the alignment behind the end
   * of the one below. So each takes its bytes rounded up, except for the topmost one: at best, that
   * is the one with the most padding. Where all alignments are equal, a stack of the records is an
   * arena of just that size.
   */

  /** So many alignments are tried, the largest first, and what all records have in common. */
  private static final int MOST_ALIGNMENTS = 16;

  /** {@return the largest load of some records of a problem, if padding makes any difference} */
  static Optional<PaddedLoad> heaviest(PlanProblem problem, List<Integer> among) {
    List<Integer> movable =
        among.stream().filter(i -> problem.records().get(i).pinnedOffset().isEmpty()).toList();
    long common = 0;
    for (int i : movable) {
      common = Alignment.greatestCommonDivisor(alignment(problem, i), common);
    }
    LongStream largest =
        movable.stream()
            .map(i -> alignment(problem, i))
            .distinct()
            .sorted(Comparator.reverseOrder())
            .limit(MOST_ALIGNMENTS)
            .mapToLong(Long::longValue);
    return LongStream.concat(largest, LongStream.of(common))
        .distinct()
        .filter(alignment -> alignment > 1)
        .mapToObj(alignment -> heaviest(problem, movable, alignment))
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(PaddedLoad::bytes));
  }

  private static long alignment(PlanProblem problem, int record) {
    return problem.alignmentOf(problem.records().get(record));
  }

  private record Event(long task, boolean isStart, int record) {}

  private static Optional<PaddedLoad> heaviest(
      PlanProblem problem, List<Integer> movable, long alignment) {
    List<Event> events = new ArrayList<>();
    for (int i : movable) {
      TensorUsageRecord record = problem.records().get(i);
      if (alignment(problem, i) % alignment == 0) {
        for (LiveRange range : record.liveRanges()) {
          if (range.bytes() == record.bytes() && record.bytes() > 0) {
            events.add(new Event(range.firstTask(), true, i));
            events.add(new Event(range.lastTask(), false, i));
          }
        }
      }
    }
    // At one task, records start before others end: the last task is a part of the lifetime.
    events.sort(
        Comparator.comparingLong(Event::task)
            .thenComparing(Event::isStart, Comparator.reverseOrder()));
    Sum sum = new Sum(problem, alignment);
    long mostBytes = 0;
    long task = 0;
    for (Event event : events) {
      if (event.isStart) {
        sum.add(event.record);
        if (sum.bytes() > mostBytes) {
          mostBytes = sum.bytes();
          task = event.task;
        }
      } else {
        sum.remove(event.record);
      }
    }
    return mostBytes == 0
        ? Optional.empty()
        : Optional.of(new PaddedLoad(task, alignment, liveAt(task, events), mostBytes));
  }

  private static List<Integer> liveAt(long task, List<Event> events) {
    TreeSet<Integer> live = new TreeSet<>();
    for (Event event : events) {
      if (event.isStart && event.task <= task) {
        live.add(event.record);
      } else if (!event.isStart && event.task < task) {
        live.remove(event.record);
      }
    }
    return List.copyOf(live);
  }

  /** {@return as few of the records as are too many, the largest ones} */
  CapacityConflict reduced(PlanProblem problem, long capacityBytes) {
    Sum sum = new Sum(problem, alignmentBytes);
    records.forEach(sum::add);
    List<Integer> left = new ArrayList<>();
    List<Integer> smallestFirst =
        records.stream()
            .sorted(Comparator.comparingLong(sum::padded).thenComparing(Comparator.reverseOrder()))
            .toList();
    for (int i : smallestFirst) {
      sum.remove(i);
      if (sum.bytes() <= capacityBytes) {
        sum.add(i);
        left.add(i);
      }
    }
    boolean isExact = left.stream().allMatch(i -> alignment(problem, i) == alignmentBytes);
    return new CapacityConflict(
        left.stream().sorted().toList(),
        sum.bytes(),
        new CapacityConflict.Reason.Padding(task, alignmentBytes, isExact));
  }

  /** The bytes of some records with the padding between them. */
  private static final class Sum {

    private final PlanProblem problem;
    private final long alignment;
    private final TreeMap<Long, Integer> paddings = new TreeMap<>();
    private long paddedBytes;

    Sum(PlanProblem problem, long alignment) {
      this.problem = problem;
      this.alignment = alignment;
    }

    long padded(int record) {
      return Alignment.up(problem.records().get(record).bytes(), alignment);
    }

    private long padding(int record) {
      return padded(record) - problem.records().get(record).bytes();
    }

    void add(int record) {
      paddedBytes += padded(record);
      paddings.merge(padding(record), 1, Integer::sum);
    }

    void remove(int record) {
      paddedBytes -= padded(record);
      paddings.computeIfPresent(padding(record), (key, count) -> count == 1 ? null : count - 1);
    }

    long bytes() {
      return paddings.isEmpty() ? 0 : paddedBytes - paddings.lastKey();
    }
  }
}
