package dev.stowage.plan.violations;

import java.util.List;
import java.util.function.ToLongFunction;

/** The live ranges among some placed ranges, with counts of the ranges that have some bytes. */
final class LiveRangeCounts {

  /*
   * To count the live ranges with a byte of a range, subtract the ranges that end at or before its
   * start from the ranges that start before its end. Two Fenwick trees contain these counts: O(log
   * n).
   */

  private final long[] starts;
  private final long[] ends;
  private final int[] startCounts;
  private final int[] endCounts;

  /**
   * Creates counts of no live ranges.
   *
   * @param ranges the ranges that may become live
   */
  LiveRangeCounts(List<PlacedRange> ranges) {
    starts = sorted(ranges, PlacedRange::startByte);
    ends = sorted(ranges, PlacedRange::endByte);
    startCounts = new int[starts.length + 1];
    endCounts = new int[ends.length + 1];
  }

  private static long[] sorted(List<PlacedRange> ranges, ToLongFunction<PlacedRange> value) {
    return ranges.stream().mapToLong(value).sorted().toArray();
  }

  /** Adds a range to the live ones. */
  void add(PlacedRange range) {
    addCount(startCounts, countLess(starts, range.startByte()), 1);
    addCount(endCounts, countLess(ends, range.endByte()), 1);
  }

  /** Removes a range from the live ones. */
  void remove(PlacedRange range) {
    addCount(startCounts, countLess(starts, range.startByte()), -1);
    addCount(endCounts, countLess(ends, range.endByte()), -1);
  }

  /** Adds {@code count} to an index of a Fenwick tree. */
  private static void addCount(int[] counts, int index, int count) {
    for (int k = index + 1; k < counts.length; k += k & -k) {
      counts[k] += count;
    }
  }

  /** {@return the sum of the first {@code length} counts of a Fenwick tree} */
  private static int prefixSum(int[] counts, int length) {
    int sum = 0;
    for (int k = length; k > 0; k -= k & -k) {
      sum += counts[k];
    }
    return sum;
  }

  /** {@return the number of sorted values less than {@code value}} */
  private static int countLess(long[] sorted, long value) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] < value) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** {@return the number of live ranges that have a byte in common with {@code range}} */
  int overlapping(PlacedRange range) {
    return prefixSum(startCounts, countLess(starts, range.endByte()))
        - prefixSum(endCounts, countLess(ends, range.startByte() + 1));
  }
}
