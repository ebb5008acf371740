package dev.stowage.plan.fit;

import org.jspecify.annotations.Nullable;

/** The first and last ranks and the first and last bytes of the placed records. */
final class PlacedEdges {

  /** The ranks of the records that start at each offset. */
  private final RankRangesByOffset starts = new RankRangesByOffset();

  /** The ranks of the records that end at each offset. */
  private final RankRangesByOffset ends = new RankRangesByOffset();

  /** The bytes of the records that start at each rank. */
  private final @Nullable OffsetRanges[] firsts;

  /** The bytes of the records that end at each rank. */
  private final @Nullable OffsetRanges[] lasts;

  PlacedEdges(int rankCount) {
    firsts = new OffsetRanges[rankCount];
    lasts = new OffsetRanges[rankCount];
  }

  void add(int first, int last, long start, long end) {
    starts.add(start, first, last);
    ends.add(end, first, last);
    at(firsts, first).add(start, end);
    at(lasts, last).add(start, end);
  }

  private static OffsetRanges at(@Nullable OffsetRanges[] sets, int rank) {
    OffsetRanges set = sets[rank];
    if (set == null) {
      set = new OffsetRanges();
      sets[rank] = set;
    }
    return set;
  }

  /**
   * {@return true if, at some of the ranks, a record or offset 0 bounds the free bytes {@code
   * [start, end)} from below, and a record bounds them from above}
   *
   * @param end {@link Long#MAX_VALUE} for bytes without an upper bound
   */
  boolean isGap(int first, int last, long start, long end) {
    return (start == 0 || ends.overlaps(start, first, last))
        && (end == Long.MAX_VALUE || starts.overlaps(end, first, last));
  }

  /**
   * {@return true if a record or the first rank bounds the free ranks from {@code first} to {@code
   * last} on one side, and a record or the last rank on the other, at some of the bytes}
   */
  boolean isBounded(int first, int last, long start, long end) {
    return (first == 0 || overlaps(lasts[first - 1], start, end))
        && (last == firsts.length - 1 || overlaps(firsts[last + 1], start, end));
  }

  private static boolean overlaps(@Nullable OffsetRanges set, long start, long end) {
    if (set == null) {
      return false;
    }
    int next = set.firstEndingAfter(start, 0);
    return next < set.count() && set.start(next) < end;
  }
}
