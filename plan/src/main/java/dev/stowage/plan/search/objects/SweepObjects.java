package dev.stowage.plan.search.objects;

import java.util.Arrays;

/** The objects of a {@link SweepState} while the next record is placed. */
final class SweepObjects {

  /** The value of {@code busyUntil} for a free object. */
  static final int FREE = -1;

  long[] sizes;
  final int[] busyUntil;
  final int[] ids;
  private final int chosen;

  /**
   * Creates the objects of a state, and one more of no bytes if {@code chosen} is a new one.
   *
   * @param sizes the sizes, descending; not copied until an object grows
   * @param busyUntil the last rank at which each object is in use, or {@link #FREE}
   * @param ids the id of each object; may be shorter if the caller does not need ids
   * @param chosen the object for the next record
   */
  SweepObjects(long[] sizes, int[] busyUntil, int[] ids, int chosen) {
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

  /** Places a record in the chosen object, which grows if it is smaller. */
  void place(long bytes, int lastRank) {
    busyUntil[chosen] = lastRank;
    if (sizes[chosen] < bytes) {
      grow(bytes);
    }
  }

  /** Frees the objects of the records that end before a rank, and sorts objects of equal size. */
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

  /** Grows the chosen object and moves it to its position by size. */
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
