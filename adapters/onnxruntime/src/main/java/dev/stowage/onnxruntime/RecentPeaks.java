package dev.stowage.onnxruntime;

import java.util.Arrays;
import java.util.OptionalLong;

/** The peaks of the most recent runs, and their 99th percentile. */
final class RecentPeaks {

  /*
   * `ring` has the peaks in the order of the runs, and `sorted` has the same ones in ascending order.
   * Adding a peak moves O(capacity) values; the percentile takes O(1).
   */

  /** The number of peaks from which a 99th percentile is known. */
  static final int ENOUGH = 100;

  private final long[] ring;
  private final long[] sorted;
  private int count;
  private int next;

  /**
   * Creates an empty collection.
   *
   * @param capacity the number of peaks that are kept
   */
  RecentPeaks(int capacity) {
    ring = new long[capacity];
    sorted = new long[capacity];
  }

  /** Adds a peak, and removes the oldest one if there are too many. */
  void add(long bytes) {
    if (count == ring.length) {
      remove(ring[next]);
    }
    int found = Arrays.binarySearch(sorted, 0, count, bytes);
    int index = found >= 0 ? found : -found - 1;
    System.arraycopy(sorted, index, sorted, index + 1, count - index);
    sorted[index] = bytes;
    count++;
    ring[next] = bytes;
    next = (next + 1) % ring.length;
  }

  private void remove(long bytes) {
    int index = Arrays.binarySearch(sorted, 0, count, bytes);
    System.arraycopy(sorted, index + 1, sorted, index, count - index - 1);
    count--;
  }

  /**
   * {@return the smallest peak that at least 99 % of the recent runs do not exceed, or empty before
   * {@value #ENOUGH} runs}
   */
  OptionalLong percentile() {
    if (count < ENOUGH) {
      return OptionalLong.empty();
    }
    int rank = Math.ceilDiv(99 * count, 100);
    return OptionalLong.of(sorted[rank - 1]);
  }
}
