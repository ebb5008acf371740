package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes of a tensor arena are taken, during which tasks.
 *
 * <p>Answers where a record fits among the records placed before that it conflicts with.
 */
final class OccupancyIndex {

  /*
   * A segment tree over the ranks of tasks. A range of ranks is cut into O(log n) nodes, those
   * wholly inside it whose parents are not. Node v keeps two sets of bytes:
   *
   *   across[v]  what is taken during all of v's ranks by records that were cut at v;
   *   within[v]  what is taken at some of v's ranks by records that were cut at v or below.
   *
   * A range meets exactly within[] of its own nodes and across[] of their ancestors. Sets of bytes
   * grow together as the arena fills: what the reference algorithms scan record by record is a few
   * ranges here, so a query costs O(log n) sets and the gaps between them.
   */

  private static final ByteRanges[] NONE = {};

  private final TaskRanks ranks;
  private final int leaves;
  private final @Nullable ByteRanges[] across;
  private final @Nullable ByteRanges[] within;

  private ByteRanges[] met = NONE;
  private int[] positions = {};
  private int metCount;

  OccupancyIndex(TaskRanks ranks) {
    this.ranks = ranks;
    // A power of two, so that parents are whole.
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, ranks.count()) * 2 - 1));
    across = new ByteRanges[2 * leaves];
    within = new ByteRanges[2 * leaves];
  }

  /** Marks {@code [start, end)} as taken from {@code firstTask}, a start of the ranks, on. */
  void occupy(long firstTask, long lastTask, long start, long end) {
    int low = ranks.ofFirst(firstTask) + leaves;
    int high = ranks.ofLast(lastTask) + leaves;
    int firstLeaf = low;
    int lastLeaf = high;
    for (; low <= high; low >>= 1, high >>= 1) {
      if ((low & 1) == 1) {
        at(across, low).add(start, end);
        at(within, low++).add(start, end);
      }
      if ((high & 1) == 0) {
        at(across, high).add(start, end);
        at(within, high--).add(start, end);
      }
    }
    occupyAbove(firstLeaf, lastLeaf, start, end);
  }

  /** Adds to {@code within} of every node that a range of leaves meets but does not cover. */
  private void occupyAbove(int firstLeaf, int lastLeaf, long start, long end) {
    int leafShift = 0;
    for (int low = firstLeaf, high = lastLeaf; low > 0; low >>= 1, high >>= 1, leafShift++) {
      if (!isCovered(low, leafShift, firstLeaf, lastLeaf)) {
        at(within, low).add(start, end);
      }
      if (high != low && !isCovered(high, leafShift, firstLeaf, lastLeaf)) {
        at(within, high).add(start, end);
      }
    }
  }

  private static boolean isCovered(int node, int leafShift, int firstLeaf, int lastLeaf) {
    return (node << leafShift) >= firstLeaf && ((node + 1) << leafShift) - 1 <= lastLeaf;
  }

  /**
   * {@return the start of the smallest gap that holds {@code bytes}, the lowest of equal ones; the
   * end of what is taken where no gap does}
   *
   * @param bytes positive
   */
  long tightestGap(long firstTask, long lastTask, long bytes, long alignment) {
    meet(firstTask, lastTask);
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    long free = 0;
    while (true) {
      long taken = nextTaken(free);
      long candidate = Alignment.up(free, alignment);
      if (taken == Long.MAX_VALUE) {
        return best >= 0 ? best : candidate;
      }
      long gap = taken - candidate;
      if (gap >= bytes && gap < bestGap) {
        best = candidate;
        bestGap = gap;
        if (gap == bytes) {
          return best;
        }
      }
      free = endOfTaken(taken);
    }
  }

  /** {@return the lowest multiple of {@code alignment} at which all of {@code needs} is free} */
  long lowestGap(List<LiveRange> needs, long alignment) {
    long offset = 0;
    // Each range may push the offset up, into what another range must then leave again.
    for (int settled = 0; settled < needs.size(); ) {
      for (LiveRange need : needs) {
        long moved = lowestGap(need, offset, alignment);
        settled = moved == offset ? settled + 1 : 1;
        offset = moved;
        if (settled == needs.size()) {
          break;
        }
      }
    }
    return offset;
  }

  private long lowestGap(LiveRange need, long from, long alignment) {
    meet(need.firstTask(), need.lastTask());
    long offset = from;
    while (true) {
      long taken = nextTaken(offset + need.startByte());
      if (taken >= offset + need.endByte()) {
        return offset;
      }
      long end = endOfTaken(Math.max(taken, offset + need.startByte()));
      offset = Alignment.up(end - need.startByte(), alignment);
    }
  }

  /** {@return the lowest byte taken at some of the tasks, {@link Long#MAX_VALUE} for none} */
  long lowestTaken(long firstTask, long lastTask) {
    meet(firstTask, lastTask);
    return nextTaken(0);
  }

  /** Collects the sets that a range of tasks meets, each at its first range. */
  private void meet(long firstTask, long lastTask) {
    metCount = 0;
    int low = ranks.ofFirst(firstTask) + leaves;
    int high = ranks.ofLast(lastTask) + leaves;
    int firstLeaf = low;
    int lastLeaf = high;
    for (; low <= high; low >>= 1, high >>= 1) {
      if ((low & 1) == 1) {
        meet(within[low++]);
      }
      if ((high & 1) == 0) {
        meet(within[high--]);
      }
    }
    int leafShift = 0;
    for (int l = firstLeaf, h = lastLeaf; l > 0; l >>= 1, h >>= 1, leafShift++) {
      if (!isCovered(l, leafShift, firstLeaf, lastLeaf)) {
        meet(across[l]);
      }
      if (h != l && !isCovered(h, leafShift, firstLeaf, lastLeaf)) {
        meet(across[h]);
      }
    }
  }

  private void meet(@Nullable ByteRanges ranges) {
    if (ranges == null) {
      return;
    }
    if (metCount == met.length) {
      met = Arrays.copyOf(met, 2 * metCount + 8);
      positions = Arrays.copyOf(positions, met.length);
    }
    met[metCount] = ranges;
    positions[metCount++] = 0;
  }

  /**
   * {@return the lowest taken byte at or behind {@code offset}, {@link Long#MAX_VALUE} for none}
   *
   * <p>Offsets must ascend from call to call. Sets that are used up leave {@code met}.
   */
  private long nextTaken(long offset) {
    long next = Long.MAX_VALUE;
    for (int k = 0; k < metCount; ) {
      ByteRanges ranges = met[k];
      int position = positions[k];
      if (ranges.end(position) <= offset) {
        position = ranges.firstEndingAfter(offset, position);
        if (position == ranges.count()) {
          met[k] = met[--metCount];
          positions[k] = positions[metCount];
          continue;
        }
        positions[k] = position;
      }
      next = Math.min(next, Math.max(offset, ranges.start(position)));
      k++;
    }
    return next;
  }

  /** {@return the first byte behind {@code taken} that is free} */
  private long endOfTaken(long taken) {
    long end = taken;
    for (boolean moved = true; moved; ) {
      moved = false;
      for (int k = 0; k < metCount; k++) {
        ByteRanges ranges = met[k];
        int position = ranges.firstEndingAfter(end, positions[k]);
        if (position < ranges.count()) {
          positions[k] = position;
          if (ranges.start(position) <= end) {
            end = ranges.end(position);
            moved = true;
          }
        } else {
          positions[k] = ranges.count() - 1;
        }
      }
    }
    return end;
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
