package dev.stowage.plan.fit;

import dev.stowage.plan.time.LiveRange;
import java.util.List;

/**
 * The bytes of a tensor arena that placed records occupy, by task rank.
 *
 * <p>The index finds an offset for a record among the placed records that conflict with it.
 */
public final class OccupancyIndex {

  /*
   * Neither structure is fast for all inputs. The tree of byte ranges has few ranges if lifetimes
   * are short or if many records have the same size. There are about two maximal free rectangles
   * for each record if lifetimes or sizes are irregular. The index starts with the tree. It changes
   * to rectangles after the tree took too many steps. It changes back, finally, after the
   * rectangles took too many steps or became too many.
   */

  /**
   * The limits at which the index changes its structure.
   *
   * @param steps the steps of the tree, without those for each record
   * @param stepsPerRecord the steps of the tree for each placed record
   * @param factor the ratio of the step limit of rectangles to the step limit of the tree
   * @param rectanglesPerRecord the rectangles for each placed record; {@code steps} are added
   */
  record SwitchLimits(long steps, long stepsPerRecord, long factor, long rectanglesPerRecord) {

    static final SwitchLimits DEFAULT = new SwitchLimits(1 << 17, 512, 8, 16);

    /** {@return true if a structure of {@code records} records exceeds a limit} */
    boolean areExceededBy(PlacedBytes placed, int records) {
      long stepLimit = steps + stepsPerRecord * records;
      return placed instanceof FreeRectangles rectangles
          ? rectangles.steps() > factor * stepLimit
              || rectangles.count() > steps + rectanglesPerRecord * records
          : placed.steps() > stepLimit;
    }
  }

  private final int rankCount;
  private final SwitchLimits limits;
  private final RectangleList occupied = new RectangleList(64);
  private PlacedBytes placed;
  private boolean isFinal;
  private long stepsOfReplaced;

  /** Creates an index without records, for ranks below {@code rankCount}. */
  public OccupancyIndex(int rankCount) {
    this(rankCount, SwitchLimits.DEFAULT);
  }

  OccupancyIndex(int rankCount, SwitchLimits limits) {
    this.rankCount = rankCount;
    this.limits = limits;
    placed = new OffsetRangesTree(rankCount);
  }

  /** See {@link PlacedBytes#occupy}. */
  public void occupy(int firstRank, int lastRank, long start, long end) {
    placed.occupy(firstRank, lastRank, start, end);
    if (isFinal) {
      return;
    }
    occupied.add(firstRank, lastRank, start, end);
    if (isTooCostly()) {
      isFinal = placed instanceof FreeRectangles || !switchToRectangles();
      if (isFinal) {
        rebuildAs(new OffsetRangesTree(rankCount));
      }
    }
  }

  private boolean isTooCostly() {
    return limits.areExceededBy(placed, occupied.count());
  }

  /** Changes to rectangles and {@return true if they stay within the limits} */
  private boolean switchToRectangles() {
    rebuildAs(new FreeRectangles(rankCount));
    return !isTooCostly();
  }

  /** Copies all records to an empty structure; stops early if it exceeds a limit. */
  private void rebuildAs(PlacedBytes empty) {
    stepsOfReplaced += placed.steps();
    placed = empty;
    for (int k = 0; k < occupied.count(); k++) {
      placed.occupy(occupied.first(k), occupied.last(k), occupied.start(k), occupied.end(k));
      if (!isFinal && isTooCostly()) {
        return;
      }
    }
  }

  /** {@return the work so far, in the unit of {@link PlacedBytes#steps}} */
  long steps() {
    return stepsOfReplaced + placed.steps();
  }

  /** See {@link PlacedBytes#tightestGap}. */
  public long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    return placed.tightestGap(firstRank, lastRank, bytes, alignment);
  }

  /**
   * {@return the lowest multiple of {@code alignment} at which all of {@code needs} are free}
   *
   * @param needs ranges of bytes, relative to the offset, each with its first and last rank
   */
  long lowestGap(List<LiveRange> needs, long alignment) {
    long offset = 0;
    // One need may move the offset to where another need is not free: repeat until none moves it.
    for (int unmoved = 0, k = 0; unmoved < needs.size(); k = (k + 1) % needs.size()) {
      long moved = placed.lowestGap(needs.get(k), offset, alignment);
      unmoved = moved == offset ? unmoved + 1 : 1;
      offset = moved;
    }
    return offset;
  }

  /** {@return true if all of {@code needs} are free at an offset} */
  boolean isFree(List<LiveRange> needs, long offset) {
    return needs.stream().allMatch(need -> placed.lowestGap(need, offset, 1) == offset);
  }

  /** See {@link PlacedBytes#lowestOccupied}. */
  public long lowestOccupied(int firstRank, int lastRank) {
    return placed.lowestOccupied(firstRank, lastRank);
  }
}
