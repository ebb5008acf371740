package dev.stowage.core.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Looks for offsets within a capacity by deciding, pair by pair, which record lies above the other.
 *
 * <p>Slower than a {@link PlacementSearch}, but it knows windows: with these, two records may need
 * each other's place in turn, so that neither is the lower one.
 */
final class PairSearch implements CapacitySearch {

  /*
   * For two records, the offset of the one less that of the other must not lie in some open
   * intervals, one for each two live ranges that share a task. Every record starts at the lowest
   * offset that what is decided leaves to it. If no two are in each other's way then, that is a
   * plan. Else a pair is, and the difference of its offsets has to leave the interval downwards or
   * upwards: two branches, each of which lifts one of the two records. There are finitely many
   * intervals, and none is decided twice on a path.
   */

  private static final long FIRST_NODE_LIMIT = 2000;
  private static final double GROWTH = 1.5;

  private final long[] bytes;
  private final long[] alignment;

  /** Pinned offsets, and 0. */
  private final long[] least;

  private final boolean[] pinned;
  private final List<Pair> pairs = new ArrayList<>();
  private final long[] found;
  private final int movableCount;

  private long capacity;
  private long nodeLimit = FIRST_NODE_LIMIT;
  private long nodes;
  private long lastNode;
  private BooleanSupplier stop = () -> false;
  private boolean cut;

  /** Two records, and where the second one's offset less the first one's must not lie. */
  private static final class Pair {

    private final int first;
    private final int second;

    /** Start and end of each interval, in turn. */
    private final long[] forbidden;

    Pair(int first, int second, long[] forbidden) {
      this.first = first;
      this.second = second;
      this.forbidden = forbidden;
    }

    /** {@return the index of the interval that holds a difference, negative for none} */
    int holding(long difference) {
      for (int k = 0; k < forbidden.length; k += 2) {
        if (forbidden[k] < difference && difference < forbidden[k + 1]) {
          return k;
        }
      }
      return -1;
    }
  }

  /** What was decided: {@code upper} starts at least {@code distance} above {@code lower}. */
  private record Above(int upper, int lower, long distance) {}

  /**
   * A search.
   *
   * @param movable indices of the records to be placed
   * @param fixed indices of pinned ones
   */
  PairSearch(PlanProblem problem, int[] movable, int[] fixed) {
    movableCount = movable.length;
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i : movable) {
      records.add(problem.records().get(i));
    }
    for (int i : fixed) {
      records.add(problem.records().get(i));
    }
    int count = records.size();
    bytes = new long[count];
    alignment = new long[count];
    least = new long[count];
    pinned = new boolean[count];
    found = new long[movableCount];
    for (int i = 0; i < count; i++) {
      TensorUsageRecord record = records.get(i);
      bytes[i] = record.bytes();
      alignment[i] = problem.alignmentOf(record);
      pinned[i] = i >= movableCount;
      least[i] = pinned[i] ? record.pinnedOffset().orElseThrow() : 0;
      for (int j = 0; j < Math.min(i, movableCount); j++) {
        long[] forbidden = forbidden(records.get(j).liveRanges(), record.liveRanges());
        if (forbidden.length > 0) {
          pairs.add(new Pair(j, i, forbidden));
        }
      }
    }
    // Large pairs first: there are the fewest ways to lay them.
    pairs.sort(
        Comparator.comparingLong((Pair pair) -> -(bytes[pair.first] + bytes[pair.second]))
            .thenComparingInt(pair -> pair.first)
            .thenComparingInt(pair -> pair.second));
  }

  private static long[] forbidden(List<LiveRange> first, List<LiveRange> second) {
    List<long[]> intervals = new ArrayList<>();
    for (LiveRange a : first) {
      for (LiveRange b : second) {
        if (a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask()) {
          intervals.add(new long[] {a.startByte() - b.endByte(), a.endByte() - b.startByte()});
        }
      }
    }
    intervals.sort(Comparator.comparingLong(interval -> interval[0]));
    long[] merged = new long[2 * intervals.size()];
    int count = 0;
    for (long[] interval : intervals) {
      // Open intervals that only touch leave a difference between them.
      if (count > 0 && interval[0] < merged[count - 1]) {
        merged[count - 1] = Math.max(merged[count - 1], interval[1]);
      } else {
        merged[count++] = interval[0];
        merged[count++] = interval[1];
      }
    }
    return Arrays.copyOf(merged, count);
  }

  @Override
  public Outcome next(long capacity, BooleanSupplier stop) {
    this.capacity = capacity;
    this.stop = stop;
    cut = false;
    lastNode = nodes + nodeLimit;
    nodeLimit = (long) (nodeLimit * GROWTH);
    List<List<Above>> decided = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      decided.add(new ArrayList<>());
      if (least[i] > capacity - bytes[i]) {
        return Outcome.INFEASIBLE;
      }
    }
    if (search(least.clone(), decided)) {
      return Outcome.FOUND;
    }
    return cut ? Outcome.CUT : Outcome.INFEASIBLE;
  }

  /**
   * Decides the pairs that are in each other's way.
   *
   * @param offsets the lowest that is left to each record
   * @param decided for each record, what lies above it
   */
  private boolean search(long[] offsets, List<List<Above>> decided) {
    if (nodes >= lastNode || stop.getAsBoolean()) {
      cut = true;
      return false;
    }
    nodes++;
    for (Pair pair : pairs) {
      long difference = offsets[pair.second] - offsets[pair.first];
      int interval = pair.holding(difference);
      if (interval >= 0) {
        Above firstUp = new Above(pair.first, pair.second, -pair.forbidden[interval]);
        Above secondUp = new Above(pair.second, pair.first, pair.forbidden[interval + 1]);
        boolean isFirstNearer =
            difference - pair.forbidden[interval] <= pair.forbidden[interval + 1] - difference;
        return searchWith(isFirstNearer ? firstUp : secondUp, offsets, decided)
            || (!cut && searchWith(isFirstNearer ? secondUp : firstUp, offsets, decided));
      }
    }
    System.arraycopy(offsets, 0, found, 0, movableCount);
    return true;
  }

  private boolean searchWith(Above above, long[] offsets, List<List<Above>> decided) {
    long[] lifted = offsets.clone();
    decided.get(above.lower).add(above);
    boolean isFound = lift(above.lower, lifted, decided) && search(lifted, decided);
    decided.get(above.lower).removeLast();
    return isFound;
  }

  /** Lifts what lies above a record, and so on; {@return whether all stays below the capacity} */
  private boolean lift(int from, long[] offsets, List<List<Above>> decided) {
    Deque<Integer> moved = new ArrayDeque<>(List.of(from));
    while (!moved.isEmpty()) {
      for (Above above : decided.get(moved.remove())) {
        int upper = above.upper;
        long offset = offsets[above.lower] + above.distance;
        if (offset > offsets[upper]) {
          if (pinned[upper]) {
            return false;
          }
          offsets[upper] = Alignment.up(offset, alignment[upper]);
          if (offsets[upper] > capacity - bytes[upper]) {
            return false;
          }
          moved.add(upper);
        }
      }
    }
    return true;
  }

  @Override
  public long[] offsets() {
    return found;
  }

  @Override
  public long nodes() {
    return nodes;
  }
}
