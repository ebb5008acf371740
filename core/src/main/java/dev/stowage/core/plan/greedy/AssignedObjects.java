package dev.stowage.core.plan.greedy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which objects are in use, found by a range of ranks. */
final class AssignedObjects {

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
}
