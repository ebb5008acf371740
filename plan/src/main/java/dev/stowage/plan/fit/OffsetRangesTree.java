package dev.stowage.plan.fit;

import dev.stowage.plan.time.LiveRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A segment tree over the ranks; its nodes hold sets of occupied bytes.
 *
 * <p>A call reads O(log n) sets. It is fast if the sets have few ranges: if many placed records
 * touch each other. The tree takes O(n log n) space for n records. Segment trees: Bentley,
 * "Algorithms for Klee's rectangle problems" (1977).
 */
final class OffsetRangesTree implements PlacedBytes {

  /*
   * The cover of a range of ranks is the set of the largest nodes that lie inside it: O(log n)
   * nodes. A node has two sets of bytes:
   *
   *   covering      the bytes of records with this node in their cover: occupied at all of its
   *                 ranks;
   *   intersecting  the bytes of records with this node or a descendant in their cover: occupied at
   *                 some of its ranks.
   *
   * In a leaf, both are the same set. The bytes occupied at some rank of a range are the union of
   * `intersecting` of the nodes of its cover and `covering` of their ancestors. A node has eight
   * children because most lifetimes are short: a low tree makes them cheap.
   */

  private static final int SHIFT = 3;
  private static final int LAST_CHILD = (1 << SHIFT) - 1;

  /** The number of ranges that an array copy moves in the time of one step. */
  private static final int MOVES_PER_STEP = 8;

  /** Indexed by level, leaves first, and by the position of the node in its level. */
  private final @Nullable OffsetRanges[][] covering;

  private final @Nullable OffsetRanges[][] intersecting;

  private final OffsetRangesUnion union = new OffsetRangesUnion();

  private long steps;

  OffsetRangesTree(int rankCount) {
    int levels = 1;
    while (node(rankCount - 1, levels - 1) > 0) {
      levels++;
    }
    covering = new OffsetRanges[levels][];
    Arrays.setAll(covering, level -> new OffsetRanges[node(rankCount, level) + 1]);
    intersecting = new OffsetRanges[levels][];
    Arrays.setAll(
        intersecting, level -> level == 0 ? covering[0] : new OffsetRanges[covering[level].length]);
  }

  @Override
  public void occupy(int firstRank, int lastRank, long start, long end) {
    int low = firstRank;
    int high = lastRank;
    for (int level = 0; low <= high; level++) {
      for (; low <= high && isLowInCover(level, low); low++) {
        occupyNode(level, low, start, end);
      }
      for (; low <= high && isHighInCover(high); high--) {
        occupyNode(level, high, start, end);
      }
      if (low > high) {
        break;
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
    for (int level = 1; level < intersecting.length; level++) {
      int first = node(firstRank, level);
      int last = node(lastRank, level);
      if (!isInside(level, first, firstRank, lastRank)) {
        add(intersecting[level], first, start, end);
      }
      if (last != first && !isInside(level, last, firstRank, lastRank)) {
        add(intersecting[level], last, start, end);
      }
    }
  }

  /** {@return the node of a level that contains a rank} */
  private static int node(int rank, int level) {
    return rank >> (level * SHIFT);
  }

  private void occupyNode(int level, int node, long start, long end) {
    add(covering[level], node, start, end);
    if (level > 0) {
      add(intersecting[level], node, start, end);
    }
  }

  /**
   * {@return true if the lowest node of a range belongs to its cover: it is not a first child, so
   * its parent is not inside the range}
   */
  private boolean isLowInCover(int level, int node) {
    return (node & LAST_CHILD) != 0 || level == covering.length - 1;
  }

  /** {@return true if the highest node of a range belongs to its cover} */
  private static boolean isHighInCover(int node) {
    return (node & LAST_CHILD) != LAST_CHILD;
  }

  /** {@return true if all ranks of a node are in a range} */
  private static boolean isInside(int level, int node, int firstRank, int lastRank) {
    int shift = level * SHIFT;
    return (long) node << shift >= firstRank && ((node + 1L) << shift) - 1 <= lastRank;
  }

  @Override
  public long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    return merged(firstRank, lastRank).tightestGap(bytes, alignment);
  }

  @Override
  public long lowestGap(LiveRange need, long from, long alignment) {
    return merged((int) need.firstTask(), (int) need.lastTask()).lowestGap(need, from, alignment);
  }

  @Override
  public long lowestOccupied(int firstRank, int lastRank) {
    collect(firstRank, lastRank);
    return union.lowest();
  }

  /** Collects the sets of the bytes occupied at some rank of a range. */
  private void collect(int firstRank, int lastRank) {
    union.clear();
    int low = firstRank;
    int high = lastRank;
    for (int level = 0; low <= high; level++) {
      for (; low <= high && isLowInCover(level, low); low++) {
        union.add(intersecting[level][low]);
      }
      for (; low <= high && isHighInCover(high); high--) {
        union.add(intersecting[level][high]);
      }
      if (low > high) {
        break;
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
    for (int level = 1; level < covering.length; level++) {
      int first = node(firstRank, level);
      int last = node(lastRank, level);
      if (!isInside(level, first, firstRank, lastRank)) {
        union.add(covering[level][first]);
      }
      if (last != first && !isInside(level, last, firstRank, lastRank)) {
        union.add(covering[level][last]);
      }
    }
  }

  private RangeRuns merged(int firstRank, int lastRank) {
    collect(firstRank, lastRank);
    RangeRuns merged = union.merge();
    steps += merged.count();
    return merged;
  }

  private void add(@Nullable OffsetRanges[] sets, int node, long start, long end) {
    OffsetRanges set = sets[node];
    if (set == null) {
      set = new OffsetRanges();
      sets[node] = set;
    }
    set.add(start, end);
    steps += set.count() / MOVES_PER_STEP;
  }

  @Override
  public long steps() {
    return steps;
  }
}
