package dev.stowage.core.plan.search.objects;

import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the smallest shared objects by walking the records in the order in which they start, every
 * promising choice at once; exact, for records of which few are live together.
 *
 * <p>A best-first search (A*) of partial plans. What it has not decided when it is stopped still
 * bounds every plan from below.
 */
public final class ObjectSweep {

  /*
   * Objects start as large as the positional maximums, which no plan can do without, and grow. A
   * state is what the choices up to a record leave behind:
   *
   *   sizes      32  16  16  8      of all objects, descending
   *   busy until  7   -   4  9      a rank for those in use, of equal sizes the latest first
   *
   * States that are equal stand for all ways that lead to them, and objects of equal size for each
   * other. A record goes
   *
   *   C1  to any free object that holds it, one for each size;
   *   C2  or to the largest free one below it, which grows; if there is none, to a new one. What a
   *       smaller one would give, the same growth gives later. Needless where one fits exactly:
   *       growing the other leaves a state that growing it later leaves, too.
   *
   * The bound of a state is what objects have grown and the most that they still must at any rank:
   * the records to come that are live there, by size, against the objects that are free there, by
   * size. A choice changes this only for the ranks of its record, and only those at which something
   * ends need be looked at: at others fewer are live.
   */

  private static final int FREE = -1;
  private static final int[] NO_IDS = {};

  /** As many looks at a live record cost about as much as a state. */
  private static final int VISITS_PER_NODE = 512;

  /**
   * What a search has found.
   *
   * @param objectIds the object of each record, numbered from 0, in the plan that grows least, if
   *     there is one of use and it was found
   * @param boundBytes what no plan grows less than; without a plan at most what is of use
   * @param isComplete whether the search came to its end, so that nothing is open
   * @param nodeCount states made, and other work in terms of these
   */
  public record Outcome(
      Optional<int[]> objectIds, long boundBytes, boolean isComplete, long nodeCount) {}

  private final ObjectRecords records;
  private final long[] maximums;

  /** The ranks at which something ends, and those of each record, as a range of them. */
  private final int[] endRanks;

  private final int[] firstEndRank;
  private final int[] endRankLimit;

  /** The positions of the records live at each crowded rank, by descending size. */
  private final int[][] liveRecords;

  private ObjectSweep(ObjectRecords records, long[] maximums) {
    this.records = records;
    this.maximums = maximums;
    endRanks = Arrays.stream(records.lastRanks()).sorted().distinct().toArray();
    firstEndRank = Arrays.stream(records.firstRanks()).map(this::endRanksBefore).toArray();
    endRankLimit = Arrays.stream(records.lastRanks()).map(r -> endRanksBefore(r + 1)).toArray();
    liveRecords = new int[endRanks.length][];
  }

  /** {@return how many crowded ranks are below a rank} */
  private int endRanksBefore(int rank) {
    int found = Arrays.binarySearch(endRanks, rank);
    return found >= 0 ? found : -found - 1;
  }

  /**
   * {@return a search, unless its tables would have more than {@code entryLimit} entries}
   *
   * @param records all records, or some: then bounds hold, and plans are of those
   * @param maximums the sizes that objects have at least, descending
   * @param entryLimit how many pairs of a record and a rank at which something ends to allow
   */
  public static Optional<ObjectSweep> of(ObjectRecords records, long[] maximums, long entryLimit) {
    ObjectSweep sweep = new ObjectSweep(records, maximums);
    return sweep.listLiveRecords(entryLimit) ? Optional.of(sweep) : Optional.empty();
  }

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
   * {@return the plan that grows least, if that is less than {@code limitBytes}}
   *
   * @param limitBytes growth that is no longer of use
   * @param nodeLimit how many nodes to make, about; at most twice as many states are made
   * @param stop whether to stop; asked for every so many steps
   */
  public Outcome search(long limitBytes, long nodeLimit, BooleanSupplier stop) {
    return new Run(limitBytes, nodeLimit, stop).search();
  }

  /** A state, and how it came to be; equal to another if what can follow is the same. */
  private static final class State implements Comparable<State> {

    private final @Nullable State before;
    private final int chosen;
    private final int next;
    private final long[] sizes;
    private final int[] busyUntil;
    private final long grownBytes;
    private final long boundBytes;
    private final int number;

    State(
        @Nullable State before,
        int chosen,
        int next,
        long[] sizes,
        int[] busyUntil,
        long grownBytes,
        long boundBytes,
        int number) {
      this.before = before;
      this.chosen = chosen;
      this.next = next;
      this.sizes = sizes;
      this.busyUntil = busyUntil;
      this.grownBytes = grownBytes;
      this.boundBytes = boundBytes;
      this.number = number;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof State that
          && next == that.next
          && Arrays.equals(busyUntil, that.busyUntil)
          && Arrays.equals(sizes, that.sizes);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * Arrays.hashCode(busyUntil) + Arrays.hashCode(sizes)) + next;
    }

    /** The least bound first; of equal ones the farthest, of these the latest. */
    @Override
    public int compareTo(State other) {
      int byBound = Long.compare(boundBytes, other.boundBytes);
      int byNext = byBound != 0 ? byBound : Integer.compare(other.next, next);
      return byNext != 0 ? byNext : Integer.compare(other.number, number);
    }
  }

  /** The objects of one state while it becomes the next. */
  private static final class Objects {

    private long[] sizes;
    private final int[] busyUntil;
    private final int[] ids;
    private final int chosen;

    /** Objects of a state, with one more, of no bytes, if {@code chosen} is a new one. */
    Objects(long[] sizes, int[] busyUntil, int[] ids, int chosen) {
      int count = Math.max(sizes.length, chosen + 1);
      this.sizes = count == sizes.length ? sizes : Arrays.copyOf(sizes, count);
      this.busyUntil = Arrays.copyOf(busyUntil, count);
      this.ids = Arrays.copyOf(ids, count);
      this.chosen = chosen;
      if (count > sizes.length) {
        this.busyUntil[chosen] = FREE;
        this.ids[chosen] = chosen;
      }
    }

    void place(long bytes, int lastRank) {
      busyUntil[chosen] = lastRank;
      if (sizes[chosen] < bytes) {
        grow(bytes);
      }
    }

    /** Frees what has ended before a rank, and puts objects of equal size in order. */
    void advanceTo(int rank) {
      for (int k = 0; k < busyUntil.length; k++) {
        if (busyUntil[k] < rank) {
          busyUntil[k] = FREE;
        }
      }
      for (int k = 1; k < busyUntil.length; k++) {
        for (int j = k; j > 0 && sizes[j - 1] == sizes[j] && busyUntil[j - 1] < busyUntil[j]; j--) {
          swapBusy(j - 1, j);
        }
      }
    }

    private void grow(long bytes) {
      sizes = sizes.clone();
      int k = chosen;
      for (; k > 0 && sizes[k - 1] < bytes; k--) {
        sizes[k] = sizes[k - 1];
        swapBusy(k - 1, k);
      }
      sizes[k] = bytes;
    }

    private void swapBusy(int a, int b) {
      int busy = busyUntil[a];
      busyUntil[a] = busyUntil[b];
      busyUntil[b] = busy;
      int id = ids[a];
      ids[a] = ids[b];
      ids[b] = id;
    }
  }

  private final class Run {

    private final long limitBytes;
    private final long nodeLimit;
    private final StepCounter steps;
    private final PriorityQueue<State> open = new PriorityQueue<>();
    private final Set<State> seen = new HashSet<>();
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
        Arrays.fill(free, FREE);
        open.add(new State(null, FREE, 0, maximums, free, 0, 0, stateCount++));
      }
      while (!open.isEmpty()) {
        State state = open.peek();
        if (state.next == records.count()) {
          return outcome(Optional.of(objectIds(state)), state.boundBytes, true);
        }
        // A state that was not expanded wholly is still open.
        if (nodeCount() >= nodeLimit || !expand(open.remove())) {
          return outcome(Optional.empty(), state.boundBytes, false);
        }
      }
      return outcome(Optional.empty(), limitBytes, true);
    }

    private long nodeCount() {
      return stateCount + visitCount / VISITS_PER_NODE;
    }

    private Outcome outcome(Optional<int[]> objectIds, long boundBytes, boolean isComplete) {
      return new Outcome(objectIds, boundBytes, isComplete, nodeCount());
    }

    /** Makes the states after one and {@return true if there was room and time for all} */
    private boolean expand(State state) {
      long bytes = records.bytes()[state.next];
      int largestBelow = state.sizes.length;
      boolean isExact = false;
      long sizeBefore = -1;
      for (int k = 0; k < state.sizes.length; k++) {
        if (state.busyUntil[k] == FREE && state.sizes[k] != sizeBefore) {
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

    private boolean isStopped(State state) {
      return steps.isStopped(8L * state.sizes.length) || stateCount / 2 > nodeLimit;
    }

    /** Adds the state in which the next record is in an object, if it is new and of use. */
    private void choose(State state, int chosen) {
      int record = state.next;
      long bytes = records.bytes()[record];
      long size = chosen < state.sizes.length ? state.sizes[chosen] : 0;
      long growth = Math.max(0, bytes - size);
      if (growth >= limitBytes - state.grownBytes) {
        return;
      }
      long grown = state.grownBytes + growth;
      Objects objects = new Objects(state.sizes, state.busyUntil, NO_IDS, chosen);
      objects.place(bytes, records.lastRanks()[record]);
      long missing = missing(objects, record);
      if (missing >= limitBytes - grown) {
        return;
      }
      objects.advanceTo(firstRank(record + 1));
      State after =
          new State(
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

    /** {@return the most that objects lack at a rank of a record for what is still to be placed} */
    private long missing(Objects objects, int record) {
      long most = 0;
      for (int k = firstEndRank[record]; k < endRankLimit[record]; k++) {
        most = Math.max(most, missingAt(k, objects, record));
        if (steps.isStopped(4L * liveRecords[k].length)) {
          return most; // of some ranks: a bound, too
        }
      }
      return most;
    }

    private long missingAt(int endRank, Objects objects, int placed) {
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

  /** {@return the object of each record, by making the choices that led to a state once more} */
  private int[] objectIds(State last) {
    int[] chosen = new int[records.count()];
    State state = last;
    for (State before = state.before; before != null; before = state.before) {
      chosen[before.next] = state.chosen;
      state = before;
    }
    int[] ids = new int[maximums.length];
    Arrays.setAll(ids, k -> k);
    Objects objects = new Objects(maximums, state.busyUntil, ids, 0);
    int[] objectIds = new int[records.count()];
    for (int i = 0; i < objectIds.length; i++) {
      objects = new Objects(objects.sizes, objects.busyUntil, objects.ids, chosen[i]);
      objectIds[i] = objects.ids[chosen[i]];
      objects.place(records.bytes()[i], records.lastRanks()[i]);
      objects.advanceTo(firstRank(i + 1));
    }
    return objectIds;
  }
}
