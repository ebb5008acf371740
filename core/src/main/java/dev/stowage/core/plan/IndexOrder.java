package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Orders the indices of something by a key; equal keys stay in the order of their indices. */
final class IndexOrder {

  private IndexOrder() {}

  static int[] ascending(int count, IntToLongFunction key) {
    long[] keys = new long[count];
    Arrays.setAll(keys, key);
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(keys[a], keys[b]));
    int[] result = new int[count];
    Arrays.setAll(result, k -> order[k]);
    return result;
  }

  /** Keys must not be {@link Long#MIN_VALUE}. */
  static int[] descending(int count, IntToLongFunction key) {
    return ascending(count, i -> -key.applyAsLong(i));
  }
}
