package dev.stowage.plan.fit;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.time.LiveRange;
import java.util.Arrays;

/** Placed records by ascending start, each with its ranks. */
final class PlacedList {

  private static final int FIELDS = 3;
  private static final int START = 0;
  private static final int END = 1;

  /** The first rank in the upper half, the last one in the lower half. */
  private static final int RANKS = 2;

  private long[] entries = new long[8 * FIELDS];
  private int count;

  int count() {
    return count;
  }

  /** Adds a record: O(n), because the records above it move. */
  void add(int firstRank, int lastRank, long start, long end) {
    if (FIELDS * count == entries.length) {
      entries = Arrays.copyOf(entries, 2 * entries.length);
    }
    int at = FIELDS * firstFrom(start);
    System.arraycopy(entries, at, entries, at + FIELDS, FIELDS * count - at);
    entries[at + START] = start;
    entries[at + END] = end;
    entries[at + RANKS] = (long) firstRank << Integer.SIZE | lastRank;
    count++;
  }

  /** {@return the first record that starts at or above {@code start}} */
  private int firstFrom(long start) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries[FIELDS * middle + START] < start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Copies the start and end of each record that meets some ranks and {@return the new number of
   * ranges in {@code ranges}}
   *
   * @param minFirstRank the lowest first rank of the records to copy
   * @param ranges has room for one range more than this list
   * @param rangeCount the ranges that are already there
   */
  int copy(int firstRank, int lastRank, int minFirstRank, long[] ranges, int rangeCount) {
    int to = 2 * rangeCount;
    for (int at = 0; at < FIELDS * count; at += FIELDS) {
      long ranks = entries[at + RANKS];
      int first = (int) (ranks >> Integer.SIZE);
      int last = (int) ranks;
      ranges[to] = entries[at + START];
      ranges[to + 1] = entries[at + END];
      // No branch, which would be mispredicted: no sign bit is set if the record is to be copied.
      int signs = (lastRank - first) | (last - firstRank) | (first - minFirstRank);
      to += 2 & ~(signs >> 31);
    }
    return to / 2;
  }

  /**
   * {@return the lowest gap between the records of this list; see {@link PlacedBytes#lowestGap}}
   */
  long lowestGap(LiveRange need, long from, long alignment) {
    long offset = from;
    for (int at = 0; at < FIELDS * count; at += FIELDS) {
      if (entries[at + START] >= offset + need.endByte()) {
        break;
      }
      if (entries[at + END] > offset + need.startByte()) {
        long ranks = entries[at + RANKS];
        if ((int) (ranks >> Integer.SIZE) <= need.lastTask() && (int) ranks >= need.firstTask()) {
          offset = Alignment.up(entries[at + END] - need.startByte(), alignment);
        }
      }
    }
    return offset;
  }
}
