package dev.stowage.plan.greedy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The objects of the assigned records, searched by a range of ranks. */
final class AssignedObjects {

  /*
   * A record that is live in a range of ranks is live at its first rank, or starts later in the
   * range. A segment tree finds the former: a node has the objects of all records with this node in
   * their cover, and the path from a leaf to the root has all objects live at its rank. The latter
   * are listed by first rank.
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

  /** Adds a record of an object. */
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

  /** Selects the range of ranks for {@link #isBusy}. */
  void markBusy(int firstRank, int lastRank) {
    mark++;
    for (int node = firstRank + leaves; node > 0; node >>= 1) {
      markAll(live[node]);
    }
    for (int rank = firstRank + 1; rank <= lastRank; rank++) {
      markAll(starting[rank]);
    }
  }

  /** {@return true if an object is in use in the range of the last {@link #markBusy}} */
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

  /** A growing list of ints. */
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
