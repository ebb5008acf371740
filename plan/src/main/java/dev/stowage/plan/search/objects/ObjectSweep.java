package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A best-first search (A*) for the smallest shared objects that assigns records by first task.
 *
 * <p>It is exact, and fast if few records are live at the same time. If it is stopped early, it
 * still returns a lower bound of every plan.
 */
public final class ObjectSweep {

  /*
   * Objects start with the sizes of the positional maximums, a lower bound of every plan, and grow.
   * A state is the result of the choices for all records before the next one:
   *
   *   sizes      32  16  16  8      of all objects, descending
   *   busy until  7   -   4  9      the last rank in use; of equal sizes, the latest first
   *
   * Equal states are visited once, and objects of equal size are interchangeable. The choices for a
   * record are
   *
   *   - a free object of at least its size, one for each distinct size;
   *   - the largest one of the smaller free objects, which then grows, or else a new object. To
   *     grow a smaller one instead is the same as to grow the largest one now and the smaller one
   *     later. This choice is omitted if a free object has exactly the record's size, because the
   *     other object can also grow later.
   *
   * The bound of a state is the growth so far plus the largest growth that some rank still
   * requires. A rank requires the differences between the records live at it that are not yet
   * assigned, by descending size, and the objects free at it, by descending size. A choice changes
   * this only at the ranks of its record. Only ranks at which a record ends are tested: at other
   * ranks, fewer records are live than at the next such rank.
   */

  private static final int[] NO_IDS = {};

  /** The number of visits to a live record that take as long as a state. */
  private static final int VISITS_PER_NODE = 512;

  /**
   * The result of a search.
   *
   * @param objectIds the object of each record, numbered from 0, in the plan of least growth; empty
   *     if the search found no plan that grows less than its limit
   * @param boundBytes a lower bound of the growth of every plan; without a plan, at most the limit
   * @param nodeCount the number of states, plus other work in the same unit
   */
  public record Outcome(Optional<int[]> objectIds, long boundBytes, long nodeCount) {}

  private final ObjectRecords records;
  private final long[] maximums;

  /** The ranks at which a record ends, ascending. */
  private final int[] endRanks;

  /** For each record, the index of the first end rank of its lifetime. */
  private final int[] firstEndRank;

  /** For each record, the index after the last end rank of its lifetime. */
  private final int[] endRankLimit;

  /** The records live at each end rank, by descending size. */
  private final int[][] liveRecords;

  private ObjectSweep(ObjectRecords records, long[] maximums) {
    this.records = records;
    this.maximums = maximums;
    endRanks = Arrays.stream(records.lastRanks()).sorted().distinct().toArray();
    firstEndRank = Arrays.stream(records.firstRanks()).map(this::endRanksBefore).toArray();
    endRankLimit = Arrays.stream(records.lastRanks()).map(r -> endRanksBefore(r + 1)).toArray();
    liveRecords = new int[endRanks.length][];
  }

  /** {@return the number of end ranks below a rank} */
  private int endRanksBefore(int rank) {
    int found = Arrays.binarySearch(endRanks, rank);
    return found >= 0 ? found : -found - 1;
  }

  /**
   * {@return a search; empty if its tables would have more than {@code entryLimit} entries}
   *
   * @param records all records that need bytes
   * @param maximums their positional maximums, descending
   * @param entryLimit the largest number of pairs of a record and an end rank of its lifetime
   */
  public static Optional<ObjectSweep> of(ObjectRecords records, long[] maximums, long entryLimit) {
    ObjectSweep sweep = new ObjectSweep(records, maximums);
    return sweep.listLiveRecords(entryLimit) ? Optional.of(sweep) : Optional.empty();
  }

  /** Fills {@link #liveRecords} and {@return true if it stays within the limit} */
  private boolean listLiveRecords(long entryLimit) {
    int[] counts = new int[endRanks.length];
    long entries = 0;
    for (int i = 0; i < records.count(); i++) {
      entries += endRankLimit[i] - firstEndRank[i];
      if (entries > entryLimit) {
        return false;
      }
      for (int k = firstEndRank[i]; k < endRankLimit[i]; k++) {
        counts[k]++;
      }
    }
    Arrays.setAll(liveRecords, k -> new int[counts[k]]);
    Arrays.fill(counts, 0);
    for (int i : IndexOrder.descending(records.count(), i -> records.bytes()[i])) {
      for (int k = firstEndRank[i]; k < endRankLimit[i]; k++) {
        liveRecords[k][counts[k]++] = i;
      }
    }
    return true;
  }

  /**
   * {@return the plan of least growth, if that is less than {@code limitBytes}}
   *
   * @param limitBytes plans of this growth or more are ignored
   * @param nodeLimit the approximate number of nodes; there are at most twice as many states
   * @param stop true to give up; called after a certain number of steps
   */
  public Outcome search(long limitBytes, long nodeLimit, BooleanSupplier stop) {
    return new Run(limitBytes, nodeLimit, stop).search();
  }

  /** The state of one search. */
  private final class Run {

    private final long limitBytes;
    private final long nodeLimit;
    private final StepCounter steps;
    private final PriorityQueue<SweepState> open = new PriorityQueue<>();
    private final Set<SweepState> seen = new HashSet<>();
    private int stateCount;
    private long visitCount;

    Run(long limitBytes, long nodeLimit, BooleanSupplier stop) {
      this.limitBytes = limitBytes;
      this.nodeLimit = nodeLimit;
      steps = new StepCounter(stop);
    }

    Outcome search() {
      if (limitBytes > 0) {
        int[] free = new int[maximums.length];
        Arrays.fill(free, SweepObjects.FREE);
        open.add(new SweepState(null, SweepObjects.FREE, 0, maximums, free, 0, 0, stateCount++));
      }
      while (!open.isEmpty()) {
        SweepState state = open.peek();
        if (state.next == records.count()) {
          return outcome(Optional.of(objectIds(state)), state.boundBytes);
        }
        // The bound of a state that was not expanded completely still holds.
        if (nodeCount() >= nodeLimit || !expand(open.remove())) {
          return outcome(Optional.empty(), state.boundBytes);
        }
      }
      return outcome(Optional.empty(), limitBytes);
    }

    private long nodeCount() {
      return stateCount + visitCount / VISITS_PER_NODE;
    }

    private Outcome outcome(Optional<int[]> objectIds, long boundBytes) {
      return new Outcome(objectIds, boundBytes, nodeCount());
    }

    /** Adds the states that follow one and {@return true if no limit was reached} */
    private boolean expand(SweepState state) {
      long bytes = records.bytes()[state.next];
      int largestBelow = state.sizes.length;
      boolean isExact = false;
      long sizeBefore = -1;
      for (int k = 0; k < state.sizes.length; k++) {
        if (state.busyUntil[k] == SweepObjects.FREE && state.sizes[k] != sizeBefore) {
          sizeBefore = state.sizes[k];
          if (sizeBefore < bytes) {
            largestBelow = k;
            break;
          }
          isExact = sizeBefore == bytes;
          choose(state, k);
          if (isStopped(state)) {
            return false;
          }
        }
      }
      if (!isExact) {
        choose(state, largestBelow);
      }
      return !isStopped(state);
    }

    private boolean isStopped(SweepState state) {
      return steps.isStopped(8L * state.sizes.length) || stateCount / 2 > nodeLimit;
    }

    /** Adds the state after a choice if it is new and its bound is below the limit. */
    private void choose(SweepState state, int chosen) {
      int record = state.next;
      long bytes = records.bytes()[record];
      long size = chosen < state.sizes.length ? state.sizes[chosen] : 0;
      long growth = Math.max(0, bytes - size);
      if (growth >= limitBytes - state.grownBytes) {
        return;
      }
      long grown = state.grownBytes + growth;
      SweepObjects objects = new SweepObjects(state.sizes, state.busyUntil, NO_IDS, chosen);
      objects.place(bytes, records.lastRanks()[record]);
      long missing = missing(objects, record);
      if (missing >= limitBytes - grown) {
        return;
      }
      objects.advanceTo(firstRank(record + 1));
      SweepState after =
          new SweepState(
              state,
              chosen,
              record + 1,
              objects.sizes,
              objects.busyUntil,
              grown,
              Math.max(state.boundBytes, grown + missing),
              stateCount);
      if (seen.add(after)) {
        open.add(after);
        stateCount++;
      }
    }

    /** {@return the largest growth that any end rank of a record still requires} */
    private long missing(SweepObjects objects, int record) {
      long most = 0;
      for (int k = firstEndRank[record]; k < endRankLimit[record]; k++) {
        most = Math.max(most, missingAt(k, objects, record));
        if (steps.isStopped(4L * liveRecords[k].length)) {
          return most; // of some ranks only: a weaker bound
        }
      }
      return most;
    }

    /** {@return the growth that an end rank requires for the records after {@code placed}} */
    private long missingAt(int endRank, SweepObjects objects, int placed) {
      visitCount += liveRecords[endRank].length;
      int rank = endRanks[endRank];
      int count = objects.sizes.length;
      int object = 0;
      long missing = 0;
      for (int record : liveRecords[endRank]) {
        if (record > placed) {
          while (object < count && objects.busyUntil[object] >= rank) {
            object++;
          }
          long size = object < count ? objects.sizes[object++] : 0;
          missing += Math.max(0, records.bytes()[record] - size);
        }
      }
      return missing;
    }
  }

  private int firstRank(int record) {
    return record < records.count() ? records.firstRanks()[record] : Integer.MAX_VALUE;
  }

  /** {@return the object of each record, by repeating the choices that led to a state} */
  private int[] objectIds(SweepState last) {
    int[] chosen = new int[records.count()];
    SweepState state = last;
    for (SweepState before = state.before; before != null; before = state.before) {
      chosen[before.next] = state.chosen;
      state = before;
    }
    int[] ids = new int[maximums.length];
    Arrays.setAll(ids, k -> k);
    SweepObjects objects = new SweepObjects(maximums, state.busyUntil, ids, 0);
    int[] objectIds = new int[records.count()];
    for (int i = 0; i < objectIds.length; i++) {
      objects = new SweepObjects(objects.sizes, objects.busyUntil, objects.ids, chosen[i]);
      objectIds[i] = objects.ids[chosen[i]];
      objects.place(records.bytes()[i], records.lastRanks()[i]);
      objects.advanceTo(firstRank(i + 1));
    }
    return objectIds;
  }
}
