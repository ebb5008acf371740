package dev.stowage.plan.violations;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** The live ranges among some placed ranges, ordered by address. */
final class LiveRangeTree {

  /*
   * An interval tree over the ranges, sorted by start. Level 0 has the ends of the live ranges, and
   * each node of the levels above has the largest end of its children. Listing the k ranges that
   * overlap some bytes visits O((k + 1) log n) nodes. A node has eight children, which are one line of
   * the processor's cache.
   */

  private static final int CHILDREN = 8;
  private static final int SHIFT = 3;

  /** The ranges, by start. */
  private final PlacedRange[] byStart;

  /** The position of each range in {@code byStart}, by its index. */
  private final int[] positions;

  private final long[] starts;

  /** The ends of each level; 0 if no range below a node is live. */
  private final long[][] largestEnds;

  /**
   * Creates a tree without live ranges.
   *
   * @param ranges the ranges that may become live
   */
  LiveRangeTree(List<PlacedRange> ranges) {
    int count = ranges.size();
    int[] order = IndexOrder.ascending(count, k -> ranges.get(k).startByte());
    byStart = Arrays.stream(order).mapToObj(ranges::get).toArray(PlacedRange[]::new);
    positions = new int[count];
    starts = new long[count];
    for (int position = 0; position < count; position++) {
      positions[byStart[position].index()] = position;
      starts[position] = byStart[position].startByte();
    }
    largestEnds = levels(count);
  }

  /** {@return the levels of a tree; the last one has at most {@link #CHILDREN} nodes} */
  private static long[][] levels(int count) {
    long[][] levels = {new long[count]};
    while (levels[levels.length - 1].length > CHILDREN) {
      int nodes = (levels[levels.length - 1].length + CHILDREN - 1) >> SHIFT;
      levels = Arrays.copyOf(levels, levels.length + 1);
      levels[levels.length - 1] = new long[nodes];
    }
    return levels;
  }

  /** Adds a range to the live ones. */
  void add(PlacedRange range) {
    setEnd(positions[range.index()], range.endByte());
  }

  /** Removes a range from the live ones. */
  void remove(PlacedRange range) {
    setEnd(positions[range.index()], 0);
  }

  private void setEnd(int position, long end) {
    largestEnds[0][position] = end;
    int node = position;
    for (int level = 1; level < largestEnds.length; level++) {
      node >>= SHIFT;
      long largest = largestOfChildren(largestEnds[level - 1], node);
      if (largest == largestEnds[level][node]) {
        return; // the nodes above stay the same, too
      }
      largestEnds[level][node] = largest;
    }
  }

  private static long largestOfChildren(long[] below, int node) {
    long largest = 0;
    int to = Math.min(below.length, (node + 1) << SHIFT);
    for (int child = node << SHIFT; child < to; child++) {
      largest = Math.max(largest, below[child]);
    }
    return largest;
  }

  /**
   * Visits the live ranges that have a byte in common with {@code range}, by descending start,
   * until the visitor returns false.
   *
   * @return true if the visitor always returned true
   */
  boolean forEachOverlapping(PlacedRange range, Predicate<PlacedRange> visitor) {
    return visit(largestEnds.length - 1, 0, range, visitor);
  }

  /** Visits the ranges below the children of a node; {@code level} is the level of the children. */
  private boolean visit(int level, int node, PlacedRange range, Predicate<PlacedRange> visitor) {
    long[] ends = largestEnds[level];
    int from = node << SHIFT;
    for (int child = Math.min(ends.length, from + CHILDREN) - 1; child >= from; child--) {
      boolean mayOverlap =
          ends[child] > range.startByte() && starts[child << (SHIFT * level)] < range.endByte();
      if (mayOverlap
          && !(level == 0
              ? visitor.test(byStart[child])
              : visit(level - 1, child, range, visitor))) {
        return false;
      }
    }
    return true;
  }
}
