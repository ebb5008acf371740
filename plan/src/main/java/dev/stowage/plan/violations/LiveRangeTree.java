package dev.stowage.plan.violations;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** The live ranges among some placed ranges, ordered by address. */
final class LiveRangeTree {

  /*
   * An interval tree: a segment tree over the ranges, sorted by start, that stores the largest end of
   * the live ranges below each node. Listing the k ranges that overlap some bytes visits
   * O((k + 1) log n) nodes. Counting them needs only O(log n): those that start before the end of
   * the bytes, minus those that end at or before their start. Two Fenwick trees contain these counts.
   */

  /** The ranges, by start. */
  private final PlacedRange[] byStart;

  /** The position of each range in {@code byStart}, by its index. */
  private final int[] positions;

  private final long[] starts;
  private final long[] ends;
  private final int leaves;
  private final long[] largestEnds;
  private final int[] startCounts;
  private final int[] endCounts;

  /**
   * Creates a tree without live ranges.
   *
   * @param ranges the ranges that may become live
   * @param indexCount a number greater than the index of any of them
   */
  LiveRangeTree(List<PlacedRange> ranges, int indexCount) {
    int count = ranges.size();
    byStart = ranges.toArray(PlacedRange[]::new);
    Arrays.sort(byStart, Comparator.comparingLong(PlacedRange::startByte));
    positions = new int[indexCount];
    starts = new long[count];
    for (int position = 0; position < count; position++) {
      positions[byStart[position].index()] = position;
      starts[position] = byStart[position].startByte();
    }
    ends = ranges.stream().mapToLong(PlacedRange::endByte).sorted().toArray();
    leaves = Integer.highestOneBit(Math.max(1, count * 2 - 1));
    largestEnds = new long[2 * leaves];
    startCounts = new int[count + 1];
    endCounts = new int[count + 1];
  }

  /** Adds a range to the live ones. */
  void add(PlacedRange range) {
    update(range, range.endByte(), 1);
  }

  /** Removes a range from the live ones. */
  void remove(PlacedRange range) {
    update(range, 0, -1);
  }

  private void update(PlacedRange range, long end, int count) {
    int position = positions[range.index()];
    int node = leaves + position;
    largestEnds[node] = end;
    for (node /= 2; node > 0; node /= 2) {
      largestEnds[node] = Math.max(largestEnds[2 * node], largestEnds[2 * node + 1]);
    }
    addCount(startCounts, position, count);
    addCount(endCounts, countLess(ends, range.endByte()), count);
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

  /** {@return the number of live ranges that have a byte in common with {@code range}; O(log n)} */
  int countOverlapping(PlacedRange range) {
    return prefixSum(startCounts, countLess(starts, range.endByte()))
        - prefixSum(endCounts, countLess(ends, range.startByte() + 1));
  }

  /**
   * Visits the live ranges that have a byte in common with {@code range}, by descending start,
   * until the visitor returns false.
   *
   * @return true if the visitor always returned true
   */
  boolean forEachOverlapping(PlacedRange range, Predicate<PlacedRange> visitor) {
    return visit(1, 0, leaves, countLess(starts, range.endByte()), range.startByte(), visitor);
  }

  private boolean visit(
      int node, int first, int width, int before, long startByte, Predicate<PlacedRange> visitor) {
    if (first >= before || largestEnds[node] <= startByte) {
      return true;
    }
    if (width == 1) {
      return visitor.test(byStart[first]);
    }
    int half = width / 2;
    return visit(2 * node + 1, first + half, half, before, startByte, visitor)
        && visit(2 * node, first, half, before, startByte, visitor);
  }
}
