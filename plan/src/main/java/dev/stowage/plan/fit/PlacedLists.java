package dev.stowage.plan.fit;

import dev.stowage.plan.time.LiveRange;
import org.jspecify.annotations.Nullable;

/**
 * The placed records in lists, one for each interval of ranks.
 *
 * <p>A call walks over the lists that a lifetime meets. It is fast if most lifetimes meet one or
 * two lists of some hundred records: the processor fetches the memory of a list ahead.
 */
final class PlacedLists implements PlacedBytes {

  /** The records that a call passes in the time of one step. */
  private static final int RECORDS_PER_STEP = 8;

  /** An interval has 2^shift ranks. */
  private final int shift;

  private final @Nullable PlacedList[] lists;
  private final RangeRuns met = new RangeRuns();
  private long steps;

  PlacedLists(int rankCount, int shift) {
    this.shift = shift;
    lists = new PlacedList[(Math.max(0, rankCount - 1) >> shift) + 1];
  }

  @Override
  public void occupy(int firstRank, int lastRank, long start, long end) {
    for (int k = firstRank >> shift; k <= lastRank >> shift; k++) {
      PlacedList list = lists[k];
      if (list == null) {
        list = new PlacedList();
        lists[k] = list;
      }
      list.add(firstRank, lastRank, start, end);
    }
  }

  @Override
  public long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    collect(firstRank, lastRank);
    return met.tightestGap(bytes, alignment);
  }

  @Override
  public long lowestGap(LiveRange need, long from, long alignment) {
    int first = (int) need.firstTask() >> shift;
    int last = (int) need.lastTask() >> shift;
    long offset = from;
    // A list may move the offset to where the records of another list are: repeat until none does.
    for (int unmoved = 0, k = first; unmoved <= last - first; k = k == last ? first : k + 1) {
      PlacedList list = lists[k];
      long moved = list == null ? offset : list.lowestGap(need, offset, alignment);
      unmoved = moved == offset ? unmoved + 1 : 1;
      offset = moved;
    }
    return offset;
  }

  @Override
  public long lowestOccupied(int firstRank, int lastRank) {
    collect(firstRank, lastRank);
    return met.count() == 0 ? Long.MAX_VALUE : met.start(0);
  }

  /** Collects the records that meet a range of ranks, each once. */
  private void collect(int firstRank, int lastRank) {
    met.clear();
    int minFirstRank = 0;
    for (int k = firstRank >> shift; k <= lastRank >> shift; k++) {
      PlacedList list = lists[k];
      if (list != null) {
        met.addRun(list, firstRank, lastRank, minFirstRank);
        steps += list.count() / RECORDS_PER_STEP;
      }
      minFirstRank = (k + 1) << shift;
    }
    met.merge();
  }

  @Override
  public long steps() {
    return steps;
  }
}
