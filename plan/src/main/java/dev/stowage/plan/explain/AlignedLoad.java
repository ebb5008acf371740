package dev.stowage.plan.explain;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * A lower bound for the arena of aligned records that are live at one task, including the padding
 * between them.
 *
 * @param task the task
 * @param alignmentBytes every offset of the records is a multiple of this
 * @param records movable records that need all of their bytes at the task
 * @param bytes the lower bound
 */
record AlignedLoad(long task, long alignmentBytes, List<Integer> records, long bytes) {

  /*
   * Each record starts at a multiple of the alignment after the end of the record below. Each
   * record therefore takes its bytes rounded up, except for the topmost one. The arena is smallest
   * if the topmost record has the most padding. If all alignments are equal, the records one after
   * the other, with this record last, take exactly this size.
   */

  /** Maximum number of alignments tried, besides the greatest common divisor of all. */
  private static final int MAX_ALIGNMENTS = 16;

  /** {@return the largest bound for some records; empty if no alignment is greater than 1} */
  static Optional<AlignedLoad> heaviest(PlanProblem problem, List<Integer> among) {
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
            .limit(MAX_ALIGNMENTS)
            .mapToLong(Long::longValue);
    return LongStream.concat(largest, LongStream.of(common))
        .distinct()
        .filter(alignment -> alignment > 1)
        .mapToObj(alignment -> heaviest(problem, movable, alignment))
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(AlignedLoad::bytes));
  }

  private static long alignment(PlanProblem problem, int record) {
    return problem.alignmentOf(problem.records().get(record));
  }

  private record Event(long task, boolean isStart, int record) {}

  /** {@return the records in place of others, which may need no memory of their own at first} */
  private static Set<Integer> inPlace(PlanProblem problem) {
    Set<Integer> records = new HashSet<>();
    problem.usableInPlace().forEach(pair -> records.add(pair.record()));
    return records;
  }

  /** {@return the largest bound of the records with offsets that are multiples of an alignment} */
  private static Optional<AlignedLoad> heaviest(
      PlanProblem problem, List<Integer> movable, long alignment) {
    Set<Integer> inPlace = inPlace(problem);
    List<Event> events = new ArrayList<>();
    for (int i : movable) {
      TensorUsageRecord record = problem.records().get(i);
      if (alignment(problem, i) % alignment == 0) {
        for (LiveRange range : LiveRange.of(record)) {
          if (range.bytes() == record.bytes() && record.bytes() > 0) {
            boolean isShared = inPlace.contains(i) && range.firstTask() == record.firstTask();
            if (!isShared) {
              events.add(new Event(range.firstTask(), true, i));
              events.add(new Event(range.lastTask(), false, i));
            } else if (range.firstTask() < range.lastTask()) {
              events.add(new Event(range.firstTask() + 1, true, i));
              events.add(new Event(range.lastTask(), false, i));
            }
          }
        }
      }
    }
    // Starts come before ends at the same task, since the last task is inclusive.
    events.sort(
        Comparator.comparingLong(Event::task)
            .thenComparing(Event::isStart, Comparator.reverseOrder()));
    PaddedSum sum = new PaddedSum(problem, alignment);
    long maxBytes = 0;
    long task = 0;
    for (Event event : events) {
      if (event.isStart) {
        sum.add(event.record);
        if (sum.bytes() > maxBytes) {
          maxBytes = sum.bytes();
          task = event.task;
        }
      } else {
        sum.remove(event.record);
      }
    }
    return maxBytes == 0
        ? Optional.empty()
        : Optional.of(new AlignedLoad(task, alignment, liveAt(task, events), maxBytes));
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

  /** {@return a conflict of a minimal set of the records, preferably large ones} */
  CapacityConflict toMinimalConflict(PlanProblem problem, long capacityBytes) {
    PaddedSum sum = new PaddedSum(problem, alignmentBytes);
    records.forEach(sum::add);
    List<Integer> kept = new ArrayList<>();
    List<Integer> smallestFirst =
        records.stream()
            .sorted(Comparator.comparingLong(sum::padded).thenComparing(Comparator.reverseOrder()))
            .toList();
    for (int i : smallestFirst) {
      sum.remove(i);
      if (sum.bytes() <= capacityBytes) {
        sum.add(i);
        kept.add(i);
      }
    }
    boolean isExact = kept.stream().allMatch(i -> alignment(problem, i) == alignmentBytes);
    return new CapacityConflict(
        kept.stream().sorted().toList(),
        sum.bytes(),
        new CapacityConflict.Reason.Padding(task, alignmentBytes, isExact));
  }

  /** The minimum bytes of some records with the padding between them. */
  private static final class PaddedSum {

    private final PlanProblem problem;
    private final long alignment;
    private final TreeMap<Long, Integer> paddings = new TreeMap<>();
    private long paddedBytes;

    PaddedSum(PlanProblem problem, long alignment) {
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
