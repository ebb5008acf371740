package dev.stowage.core.plan.fit;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.base.Alignment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes taken at each rank, as sets of bytes in a tree over the ranks.
 *
 * <p>A call costs O(log n) sets and the ranges in them: little where placed records touch each
 * other, as then a set has few ranges. Of n records, O(n log n) space.
 */
final class TakenSets implements PlacedBytes {

  /*
   * A tree over the ranks, of eight children a node. A range of ranks is cut into the largest nodes
   * that lie wholly inside it, O(log n) of them. A node keeps two sets of bytes:
   *
   *   across  what is taken during all of its ranks, by records that were cut at this node;
   *   within  what is taken at some of its ranks, by records that were cut at this node or below.
   *
   * At a leaf the two are the same set. A range meets exactly the bytes within the nodes that it is
   * cut into, and across their ancestors. Each node has eight children, as most lifetimes are short
   * and cost the height of the tree.
   */

  private static final int SHIFT = 3;
  private static final int LAST_CHILD = (1 << SHIFT) - 1;

  /** So many ranges move within an array while one is merged. */
  private static final int MOVED_IN_A_STEP = 8;

  /** By level, leaves first, then by position. */
  private final @Nullable ByteRanges[][] across;

  private final @Nullable ByteRanges[][] within;

  private final TakenBytes met = new TakenBytes();

  private long steps;

  TakenSets(int rankCount) {
    int levels = 1;
    while (node(rankCount - 1, levels - 1) > 0) {
      levels++;
    }
    across = new ByteRanges[levels][];
    Arrays.setAll(across, level -> new ByteRanges[node(rankCount, level) + 1]);
    within = new ByteRanges[levels][];
    Arrays.setAll(within, level -> level == 0 ? across[0] : new ByteRanges[across[level].length]);
  }

  @Override
  public void occupy(int firstRank, int lastRank, long start, long end) {
    int low = firstRank;
    int high = lastRank;
    for (int level = 0; low <= high; level++) {
      for (; low <= high && isCutLow(level, low); low++) {
        occupyNode(level, low, start, end);
      }
      for (; low <= high && isCutHigh(high); high--) {
        occupyNode(level, high, start, end);
      }
      if (low > high) {
        break;
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
    for (int level = 1; level < within.length; level++) {
      int first = node(firstRank, level);
      int last = node(lastRank, level);
      if (!isInside(level, first, firstRank, lastRank)) {
        add(within[level], first, start, end);
      }
      if (last != first && !isInside(level, last, firstRank, lastRank)) {
        add(within[level], last, start, end);
      }
    }
  }

  /** {@return the node of a level that holds a rank} */
  private static int node(int rank, int level) {
    return rank >> (level * SHIFT);
  }

  private void occupyNode(int level, int node, long start, long end) {
    add(across[level], node, start, end);
    if (level > 0) {
      add(within[level], node, start, end);
    }
  }

  /** {@return true if a range's lowest node is no first child, so that its parent sticks out} */
  private boolean isCutLow(int level, int node) {
    return (node & LAST_CHILD) != 0 || level == across.length - 1;
  }

  private static boolean isCutHigh(int node) {
    return (node & LAST_CHILD) != LAST_CHILD;
  }

  private static boolean isInside(int level, int node, int firstRank, int lastRank) {
    int shift = level * SHIFT;
    return (long) node << shift >= firstRank && ((node + 1L) << shift) - 1 <= lastRank;
  }

  @Override
  public long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    meet(firstRank, lastRank);
    merge();
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    long free = 0;
    for (int k = 0; k < met.count(); k++) {
      long gap = met.start(k) - free;
      if (gap >= bytes && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      if (met.end(k) > free) {
        free = Alignment.up(met.end(k), alignment);
      }
    }
    return best >= 0 ? best : free;
  }

  @Override
  public long lowestGap(LiveRange need, long from, long alignment) {
    meet((int) need.firstTask(), (int) need.lastTask());
    merge();
    long offset = from;
    for (int k = 0; k < met.count() && met.start(k) < offset + need.endByte(); k++) {
      if (met.end(k) > offset + need.startByte()) {
        offset = Alignment.up(met.end(k) - need.startByte(), alignment);
      }
    }
    return offset;
  }

  @Override
  public long lowestTaken(int firstRank, int lastRank) {
    meet(firstRank, lastRank);
    return met.lowest();
  }

  /** Collects the sets that a range of ranks meets; nodes are visited as in {@link #occupy}. */
  private void meet(int firstRank, int lastRank) {
    met.clear();
    int low = firstRank;
    int high = lastRank;
    for (int level = 0; low <= high; level++) {
      for (; low <= high && isCutLow(level, low); low++) {
        met.add(within[level][low]);
      }
      for (; low <= high && isCutHigh(high); high--) {
        met.add(within[level][high]);
      }
      if (low > high) {
        break;
      }
      low >>= SHIFT;
      high >>= SHIFT;
    }
    for (int level = 1; level < across.length; level++) {
      int first = node(firstRank, level);
      int last = node(lastRank, level);
      if (!isInside(level, first, firstRank, lastRank)) {
        met.add(across[level][first]);
      }
      if (last != first && !isInside(level, last, firstRank, lastRank)) {
        met.add(across[level][last]);
      }
    }
  }

  private void merge() {
    met.merge();
    steps += met.count();
  }

  private void add(@Nullable ByteRanges[] sets, int node, long start, long end) {
    ByteRanges set = sets[node];
    if (set == null) {
      set = new ByteRanges();
      sets[node] = set;
    }
    set.add(start, end);
    steps += set.count() / MOVED_IN_A_STEP;
  }

  @Override
  public long steps() {
    return steps;
  }
}
