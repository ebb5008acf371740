package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes of a tensor arena are taken, during which tasks; tasks are given by their ranks.
 *
 * <p>Answers where a record fits among the records placed before that it conflicts with.
 */
final class OccupancyIndex {

  /*
   * A tree over the ranks, of eight children a node. A range of ranks is cut into the largest nodes
   * that lie wholly inside it, O(log n) of them. A node keeps two sets of bytes:
   *
   *   across  what is taken during all of its ranks, by records that were cut at this node;
   *   within  what is taken at some of its ranks, by records that were cut at this node or below.
   *
   * At a leaf they are one. A range meets exactly what is within the nodes it is cut into, and
   * across their ancestors. Sets of bytes grow together as the arena fills: what the reference
   * algorithms scan record by record is a few ranges here, of O(log n) sets. Eight children, as
   * most lifetimes are short: their cost is the height of the tree.
   */

  private static final int SHIFT = 3;
  private static final int LAST_CHILD = (1 << SHIFT) - 1;

  /** By level, leaves first, then by position. */
  private final @Nullable ByteRanges[][] across;

  private final @Nullable ByteRanges[][] within;

  private final TakenBytes met = new TakenBytes();

  OccupancyIndex(int rankCount) {
    int levels = 1;
    while (node(rankCount - 1, levels - 1) > 0) {
      levels++;
    }
    across = new ByteRanges[levels][];
    Arrays.setAll(across, level -> new ByteRanges[node(rankCount, level) + 1]);
    within = new ByteRanges[levels][];
    Arrays.setAll(within, level -> level == 0 ? across[0] : new ByteRanges[across[level].length]);
  }

  /** Marks {@code [start, end)} as taken from one rank to another, inclusive. */
  void occupy(int firstRank, int lastRank, long start, long end) {
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
        at(within[level], first).add(start, end);
      }
      if (last != first && !isInside(level, last, firstRank, lastRank)) {
        at(within[level], last).add(start, end);
      }
    }
  }

  /** {@return the node of a level that holds a rank} */
  private static int node(int rank, int level) {
    return rank >> (level * SHIFT);
  }

  private void occupyNode(int level, int node, long start, long end) {
    at(across[level], node).add(start, end);
    if (level > 0) {
      at(within[level], node).add(start, end);
    }
  }

  /** {@return whether a range's lowest node is no first child, so that its parent sticks out} */
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

  /**
   * {@return the start of the smallest gap that holds {@code bytes}, the lowest of equal ones; the
   * end of what is taken where no gap does}
   *
   * @param bytes positive
   */
  long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    meet(firstRank, lastRank);
    met.merge();
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

  /**
   * {@return the lowest multiple of {@code alignment} at which all of {@code needs} is free}
   *
   * @param needs the bytes needed, from rank to rank
   */
  long lowestGap(List<LiveRange> needs, long alignment) {
    long offset = 0;
    // Each need may push the offset up, into what another need must then leave again.
    for (int settled = 0, k = 0; settled < needs.size(); k = (k + 1) % needs.size()) {
      long moved = lowestGap(needs.get(k), offset, alignment);
      settled = moved == offset ? settled + 1 : 1;
      offset = moved;
    }
    return offset;
  }

  /** {@return whether all of {@code needs} is free at an offset} */
  boolean isFree(List<LiveRange> needs, long offset) {
    return needs.stream().allMatch(need -> lowestGap(need, offset, 1) == offset);
  }

  private long lowestGap(LiveRange need, long from, long alignment) {
    meet((int) need.firstTask(), (int) need.lastTask());
    met.merge();
    long offset = from;
    for (int k = 0; k < met.count() && met.start(k) < offset + need.endByte(); k++) {
      if (met.end(k) > offset + need.startByte()) {
        offset = Alignment.up(met.end(k) - need.startByte(), alignment);
      }
    }
    return offset;
  }

  /** {@return the lowest byte taken at some of the ranks, {@link Long#MAX_VALUE} for none} */
  long lowestTaken(int firstRank, int lastRank) {
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

  private static ByteRanges at(@Nullable ByteRanges[] sets, int node) {
    ByteRanges set = sets[node];
    if (set == null) {
      set = new ByteRanges();
      sets[node] = set;
    }
    return set;
  }
}
