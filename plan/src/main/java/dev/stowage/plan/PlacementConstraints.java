package dev.stowage.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The constraints on the placement of one record: alignment, pinned offset, hint and gaps.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
final class PlacementConstraints {

  private static final PlacementConstraints NONE =
      new PlacementConstraints(1, OptionalLong.empty(), OptionalLong.empty(), List.of());

  private final long alignment;
  private final OptionalLong pinnedOffset;
  private final OptionalLong hint;
  private final List<Gap> gaps;

  private PlacementConstraints(
      long alignment, OptionalLong pinnedOffset, OptionalLong hint, List<Gap> gaps) {
    if (alignment < 1) {
      throw new IllegalArgumentException("alignment must be positive: alignment=" + alignment);
    }
    if (pinnedOffset.isPresent()) {
      checkPin(pinnedOffset.getAsLong(), alignment);
    }
    this.alignment = alignment;
    this.pinnedOffset = pinnedOffset;
    this.hint = hint;
    this.gaps = gaps;
  }

  /** {@return constraints with alignment 1 and without a pinned offset, hint or gaps} */
  static PlacementConstraints none() {
    return NONE;
  }

  /**
   * {@return these constraints with an alignment}
   *
   * @param bytes any positive number; the offset is a multiple of it
   * @throws IllegalArgumentException if {@code bytes < 1}, or the pinned offset is not a multiple
   *     of it
   */
  PlacementConstraints withAlignment(long bytes) {
    return new PlacementConstraints(bytes, pinnedOffset, hint, gaps);
  }

  /**
   * {@return these constraints with a pinned offset}
   *
   * @param offset the only offset that the record may have, in bytes from the start of the arena
   * @throws IllegalArgumentException if {@code offset < 0} or {@code offset % alignment() != 0}
   */
  PlacementConstraints pinnedAt(long offset) {
    return new PlacementConstraints(alignment, OptionalLong.of(offset), hint, gaps);
  }

  /**
   * {@return these constraints with a suggested offset}
   *
   * @param offset the offset that {@link dev.stowage.plan.strategy.MemoryStrategy#OPTIMAL} uses
   *     unless this makes the arena larger than that of the best plan found; a negative or
   *     misaligned offset has no effect
   */
  PlacementConstraints withHint(long offset) {
    return new PlacementConstraints(alignment, pinnedOffset, OptionalLong.of(offset), gaps);
  }

  /**
   * {@return these constraints with gaps}
   *
   * @param newGaps disjoint gaps, in any order
   * @throws IllegalArgumentException if two gaps overlap
   */
  PlacementConstraints withGaps(List<Gap> newGaps) {
    return new PlacementConstraints(alignment, pinnedOffset, hint, sorted(newGaps));
  }

  /** {@return the alignment of the offset, in bytes; not necessarily a power of two} */
  long alignment() {
    return alignment;
  }

  /** {@return the only offset that the record may have; empty if it may have any} */
  OptionalLong pinnedOffset() {
    return pinnedOffset;
  }

  /** {@return the suggested offset; empty if there is none} */
  OptionalLong hint() {
    return hint;
  }

  /** {@return the gaps of the record, by first task} */
  List<Gap> gaps() {
    return gaps;
  }

  private static void checkPin(long offset, long alignment) {
    if (offset < 0) {
      throw new IllegalArgumentException(
          "pinnedOffset must not be negative: pinnedOffset=" + offset);
    }
    if (offset % alignment != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "pinnedOffset must be a multiple of the alignment: pinnedOffset=%d, alignment=%d",
              offset,
              alignment));
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
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "gaps must not overlap: tasks %d to %d and %d to %d",
                sorted.get(i - 1).firstTask(),
                sorted.get(i - 1).lastTask(),
                sorted.get(i).firstTask(),
                sorted.get(i).lastTask()));
      }
    }
    return List.copyOf(sorted);
  }

  /** Throws unless all gaps lie within a record's lifetime and their windows within its bytes. */
  void checkWithin(long bytes, long firstTask, long lastTask) {
    for (Gap gap : gaps) {
      if (gap.firstTask() < firstTask || gap.lastTask() > lastTask) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a gap must lie within the lifetime: gap %d to %d, lifetime %d to %d",
                gap.firstTask(),
                gap.lastTask(),
                firstTask,
                lastTask));
      }
      if (gap.windowEnd() > bytes) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a gap's window must lie within the record: windowEnd=%d, bytes=%d",
                gap.windowEnd(),
                bytes));
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlacementConstraints that
        && alignment == that.alignment
        && pinnedOffset.equals(that.pinnedOffset)
        && hint.equals(that.hint)
        && gaps.equals(that.gaps);
  }

  @Override
  public int hashCode() {
    return Objects.hash(alignment, pinnedOffset, hint, gaps);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PlacementConstraints[alignment=%d, pinnedOffset=%s, hint=%s, gaps=%s]",
        alignment,
        pinnedOffset,
        hint,
        gaps);
  }
}
