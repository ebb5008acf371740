package dev.stowage.core.plan.base;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Orders the indices of something by a key; equal keys stay in the order of their indices. */
public final class IndexOrder {

  /*
   * A merge sort that moves keys and indices together, so that it reads memory in sequence: a million
   * boxed indices, each compared by a look-up of its key, take five times as long.
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

  public static int[] ascending(int count, IntToLongFunction key) {
    long[] keys = new long[count];
    Arrays.setAll(keys, key);
    return new IndexOrder(keys).sorted();
  }

  /** Keys must not be {@link Long#MIN_VALUE}. */
  public static int[] descending(int count, IntToLongFunction key) {
    return ascending(count, i -> -key.applyAsLong(i));
  }

  private int[] sorted() {
    int count = keys.length;
    // Fewer than 2^30 indices: more records than that do not fit into a list that holds them.
    for (int width = 1; width < count; width *= 2) {
      for (int start = 0; start < count; start += 2 * width) {
        merge(start, Math.min(start + width, count), Math.min(start + 2 * width, count));
      }
      swap();
    }
    return indices;
  }

  /** Merges two neighbouring runs; of equal keys the one of the left run comes first. */
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
    long[] doneKeys = keys;
    keys = sortedKeys;
    sortedKeys = doneKeys;
    int[] doneIndices = indices;
    indices = sortedIndices;
    sortedIndices = doneIndices;
  }
}
