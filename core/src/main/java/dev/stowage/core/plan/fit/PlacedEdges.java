package dev.stowage.core.plan.fit;

import org.jspecify.annotations.Nullable;

/** Where placed records start and end, in ranks and in bytes. */
final class PlacedEdges {

  /** Ranks of the records that start at an offset. */
  private final RankRangesByOffset starts = new RankRangesByOffset();

  /** Ranks of the records that end at an offset. */
  private final RankRangesByOffset ends = new RankRangesByOffset();

  /** Bytes of the records that start at a rank. */
  private final @Nullable ByteRanges[] firsts;

  /** Bytes of the records that end at a rank. */
  private final @Nullable ByteRanges[] lasts;

  PlacedEdges(int rankCount) {
    firsts = new ByteRanges[rankCount];
    lasts = new ByteRanges[rankCount];
  }

  void add(int first, int last, long start, long end) {
    starts.add(start, first, last);
    ends.add(end, first, last);
    at(firsts, first).add(start, end);
    at(lasts, last).add(start, end);
  }

  private static ByteRanges at(@Nullable ByteRanges[] sets, int rank) {
    ByteRanges set = sets[rank];
    if (set == null) {
      set = new ByteRanges();
      sets[rank] = set;
    }
    return set;
  }

  /**
   * {@return true if free bytes end, at some of the ranks, both above and below}
   *
   * @param end {@link Long#MAX_VALUE} if there is no end above
   */
  boolean isGap(int first, int last, long start, long end) {
    return (start == 0 || ends.meets(start, first, last))
        && (end == Long.MAX_VALUE || starts.meets(end, first, last));
  }

  /** {@return true if free bytes end, at some of them, both before and after a range of ranks} */
  boolean isBetweenWalls(int first, int last, long start, long end) {
    return (first == 0 || meets(lasts[first - 1], start, end))
        && (last == firsts.length - 1 || meets(firsts[last + 1], start, end));
  }

  private static boolean meets(@Nullable ByteRanges set, long start, long end) {
    if (set == null) {
      return false;
    }
    int next = set.firstEndingAfter(start, 0);
    return next < set.count() && set.start(next) < end;
  }
}
