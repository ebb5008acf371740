package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks by breadth, the sum of the bytes live at them, the largest first, and at each the
 * records by size; a record goes to the smallest free object that holds it, else to the largest.
 *
 * <p>Ties: tasks by ascending number, records by ascending index, objects by ascending id.
 * Pisarchyk and Lee (2020), algorithm 1; from TensorFlow Lite's GPU delegate.
 */
final class GreedyByBreadth implements ObjectsPlanner {

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem) {
    return new Run(problem).plan();
  }

  private static final class Run {

    private final List<TensorUsageRecord> records;
    private final TaskRanks ranks;
    private final UnassignedRecords unassigned;
    private final AssignedObjects assigned;
    private final ObjectsBySize objects = new ObjectsBySize();

    Run(PlanProblem problem) {
      records = problem.records();
      ranks = TaskRanks.of(problem);
      unassigned = new UnassignedRecords(records, ranks);
      assigned = new AssignedObjects(ranks.count(), records.size());
    }

    ObjectsAssignment plan() {
      int[] objectIds = new int[records.size()];
      // Every record is live at the start of its own first rank: no task between starts is needed.
      for (int rank : ranksByBreadth()) {
        for (int i : unassigned.takeLiveAt(rank)) {
          objectIds[i] = assign(i);
        }
      }
      return ObjectsAssignment.of(objectIds, objects.toArray());
    }

    private int assign(int record) {
      int firstRank = ranks.ofFirst(records.get(record).firstTask());
      int lastRank = ranks.ofLast(records.get(record).lastTask());
      assigned.markBusy(firstRank, lastRank);
      int object = objects.choose(records.get(record).bytes(), assigned);
      assigned.add(firstRank, lastRank, object);
      return object;
    }

    private int[] ranksByBreadth() {
      long[] breadths = new long[ranks.count() + 1];
      for (TensorUsageRecord record : records) {
        breadths[ranks.ofFirst(record.firstTask())] += record.bytes();
        breadths[ranks.ofLast(record.lastTask()) + 1] -= record.bytes();
      }
      for (int rank = 1; rank < breadths.length; rank++) {
        breadths[rank] += breadths[rank - 1];
      }
      return IndexOrder.descending(ranks.count(), rank -> breadths[rank]);
    }
  }

  /** The records that have no object yet, found by a task at which they are live. */
  private static final class UnassignedRecords {

    /*
     * Records by first rank, and over them a tree of the largest last rank: those live at rank t
     * are, among the first ones up to t, the ones whose last rank is at least t.
     */
    private final int[] byFirstRank;
    private final int[] firstRanks;
    private final int[] latest;
    private final int leaves;
    private final List<TensorUsageRecord> records;

    UnassignedRecords(List<TensorUsageRecord> records, TaskRanks ranks) {
      this.records = records;
      byFirstRank = IndexOrder.ascending(records.size(), i -> records.get(i).firstTask());
      firstRanks = new int[records.size()];
      leaves = Math.max(1, Integer.highestOneBit(Math.max(1, records.size()) * 2 - 1));
      latest = new int[2 * leaves];
      Arrays.fill(latest, -1);
      for (int k = 0; k < byFirstRank.length; k++) {
        TensorUsageRecord record = records.get(byFirstRank[k]);
        firstRanks[k] = ranks.ofFirst(record.firstTask());
        latest[leaves + k] = ranks.ofLast(record.lastTask());
      }
      for (int node = leaves - 1; node > 0; node--) {
        latest[node] = Math.max(latest[2 * node], latest[2 * node + 1]);
      }
    }

    /** {@return the records live at a rank, by descending size, then index; they leave the set} */
    int[] takeLiveAt(int rank) {
      IntStream.Builder taken = IntStream.builder();
      take(1, 0, leaves, rank, taken);
      int[] live = taken.build().sorted().toArray();
      if (live.length < 2) {
        return live;
      }
      int[] order = IndexOrder.descending(live.length, k -> records.get(live[k]).bytes());
      return Arrays.stream(order).map(k -> live[k]).toArray();
    }

    private void take(int node, int start, int width, int rank, IntStream.Builder taken) {
      if (latest[node] < rank || firstRanks[start] > rank) {
        return;
      }
      if (width == 1) {
        taken.add(byFirstRank[start]);
        latest[node] = -1;
        return;
      }
      take(2 * node, start, width / 2, rank, taken);
      if (start + width / 2 < firstRanks.length) {
        take(2 * node + 1, start + width / 2, width / 2, rank, taken);
      }
      latest[node] = Math.max(latest[2 * node], latest[2 * node + 1]);
    }
  }

  /** Which objects are in use, found by a range of ranks. */
  private static final class AssignedObjects {

    /*
     * The assigned records that a range of ranks meets are those live at its first rank, and those
     * that start later within it. For the former a segment tree keeps at each node the objects of
     * the records that were cut there: every node above a leaf holds only what is live at it. The
     * latter are kept by their first rank.
     */
    private final int leaves;
    private final @Nullable IntList[] live;
    private final @Nullable IntList[] starting;
    private int[] busyMarks;
    private int mark;

    AssignedObjects(int rankCount, int recordCount) {
      leaves = Math.max(1, rankCount);
      live = new IntList[2 * leaves];
      starting = new IntList[leaves];
      busyMarks = new int[Math.max(1, recordCount)];
    }

    void add(int firstRank, int lastRank, int object) {
      append(starting, firstRank, object);
      int low = firstRank + leaves;
      int high = lastRank + leaves;
      for (; low <= high; low >>= 1, high >>= 1) {
        if ((low & 1) == 1) {
          append(live, low++, object);
        }
        if ((high & 1) == 0) {
          append(live, high--, object);
        }
      }
    }

    /** Makes {@link #isBusy} answer for a range of ranks. */
    void markBusy(int firstRank, int lastRank) {
      mark++;
      for (int node = firstRank + leaves; node > 0; node >>= 1) {
        markAll(live[node]);
      }
      for (int rank = firstRank + 1; rank <= lastRank; rank++) {
        markAll(starting[rank]);
      }
    }

    boolean isBusy(int object) {
      return busyMarks[object] == mark;
    }

    private void markAll(@Nullable IntList objects) {
      if (objects != null) {
        for (int k = 0; k < objects.count; k++) {
          busyMarks[objects.values[k]] = mark;
        }
      }
    }

    private static void append(@Nullable IntList[] lists, int index, int value) {
      IntList list = lists[index];
      if (list == null) {
        list = new IntList();
        lists[index] = list;
      }
      list.add(value);
    }
  }

  private static final class IntList {

    private int[] values = new int[2];
    private int count;

    void add(int value) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = value;
    }
  }

  /** The objects made so far, in the order of (bytes, id). */
  private static final class ObjectsBySize {

    private final ObjectList objects = new ObjectList();
    private int[] sorted = new int[16];
    private int sortedCount;

    /** {@return the object for a record of {@code bytes}: the best free one, else a new one} */
    int choose(long bytes, AssignedObjects assigned) {
      int larger = position(bytes, 0);
      for (int k = larger; k < sortedCount; k++) {
        if (!assigned.isBusy(sorted[k])) {
          return sorted[k];
        }
      }
      int smaller = largestFreeBelow(larger, assigned);
      int object = smaller < 0 ? objects.add(bytes) : remove(smaller);
      objects.growTo(object, bytes);
      insert(object);
      return object;
    }

    /** {@return where the largest free object below {@code end} is, of equal ones the lowest id} */
    private int largestFreeBelow(int end, AssignedObjects assigned) {
      int found = -1;
      for (int k = end - 1; k >= 0; k--) {
        if (found >= 0 && objects.bytes(sorted[k]) < objects.bytes(sorted[found])) {
          break;
        }
        if (!assigned.isBusy(sorted[k])) {
          found = k;
        }
      }
      return found;
    }

    /** {@return where the first object is that is not before (bytes, id)} */
    private int position(long bytes, int id) {
      int low = 0;
      int high = sortedCount;
      while (low < high) {
        int middle = (low + high) >>> 1;
        int object = sorted[middle];
        long objectBytes = objects.bytes(object);
        if (objectBytes < bytes || (objectBytes == bytes && object < id)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private int remove(int position) {
      int object = sorted[position];
      System.arraycopy(sorted, position + 1, sorted, position, sortedCount - position - 1);
      sortedCount--;
      return object;
    }

    private void insert(int object) {
      int position = position(objects.bytes(object), object);
      if (sortedCount == sorted.length) {
        sorted = Arrays.copyOf(sorted, 2 * sortedCount);
      }
      System.arraycopy(sorted, position, sorted, position + 1, sortedCount - position);
      sorted[position] = object;
      sortedCount++;
    }

    long[] toArray() {
      return objects.toArray();
    }
  }
}
