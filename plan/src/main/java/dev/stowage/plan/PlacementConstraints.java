package dev.stowage.plan;

import dev.stowage.plan.text.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The constraints on the placement of one record.
 *
 * @param alignment the alignment of the offset, in bytes
 * @param pinnedOffset the only offset that the record may have; empty if it may have any
 * @param hint the suggested offset; empty if there is none
 * @param gaps the gaps of the record, by first task
 */
record PlacementConstraints(
    long alignment, OptionalLong pinnedOffset, OptionalLong hint, List<Gap> gaps) {

  private static final PlacementConstraints NONE =
      new PlacementConstraints(1, OptionalLong.empty(), OptionalLong.empty(), List.of());

  PlacementConstraints {
    if (alignment < 1) {
      throw new IllegalArgumentException("alignment must be positive: alignment=" + alignment);
    }
    if (pinnedOffset.isPresent()) {
      checkPin(pinnedOffset.getAsLong(), alignment);
    }
  }

  /** {@return constraints with alignment 1 and without a pinned offset, hint or gaps} */
  static PlacementConstraints none() {
    return NONE;
  }

  /** {@return these constraints with an alignment, a positive number of bytes} */
  PlacementConstraints withAlignment(long bytes) {
    return new PlacementConstraints(bytes, pinnedOffset, hint, gaps);
  }

  /** {@return these constraints with a pinned offset, a multiple of the alignment} */
  PlacementConstraints pinnedAt(long offset) {
    return new PlacementConstraints(alignment, OptionalLong.of(offset), hint, gaps);
  }

  /** {@return these constraints with a suggested offset} */
  PlacementConstraints withHint(long offset) {
    return new PlacementConstraints(alignment, pinnedOffset, OptionalLong.of(offset), gaps);
  }

  /** {@return these constraints with disjoint gaps, in any order} */
  PlacementConstraints withGaps(List<Gap> newGaps) {
    return new PlacementConstraints(alignment, pinnedOffset, hint, sorted(newGaps));
  }

  private static void checkPin(long offset, long alignment) {
    if (offset < 0) {
      throw new IllegalArgumentException("a pinned offset must not be negative: offset=" + offset);
    }
    if (offset % alignment != 0) {
      throw Message.illegalArgument(
          "a pinned offset must be a multiple of the alignment: offset=%d, alignment=%d",
          offset, alignment);
    }
  }

  private static List<Gap> sorted(List<Gap> gaps) {
    if (gaps.isEmpty()) {
      return List.of();
    }
    List<Gap> sorted = new ArrayList<>(gaps);
    sorted.sort(Comparator.comparingLong(Gap::firstTask));
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).firstTask() <= sorted.get(i - 1).lastTask()) {
        throw Message.illegalArgument(
            "gaps must not overlap: tasks %d to %d and %d to %d",
            sorted.get(i - 1).firstTask(),
            sorted.get(i - 1).lastTask(),
            sorted.get(i).firstTask(),
            sorted.get(i).lastTask());
      }
    }
    return List.copyOf(sorted);
  }

  /** Throws unless all gaps lie within a record's lifetime and their windows within its bytes. */
  void checkWithin(long bytes, long firstTask, long lastTask) {
    for (Gap gap : gaps) {
      if (gap.firstTask() < firstTask || gap.lastTask() > lastTask) {
        throw Message.illegalArgument(
            "a gap must lie within the lifetime: gap %d to %d, lifetime %d to %d",
            gap.firstTask(), gap.lastTask(), firstTask, lastTask);
      }
      if (gap.windowEnd() > bytes) {
        throw Message.illegalArgument(
            "the window of a gap must lie within the record: end of the window=%d, bytes=%d",
            gap.windowEnd(), bytes);
      }
    }
  }
}
