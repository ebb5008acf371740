package dev.stowage.plan.fit;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.time.LiveRange;
import dev.stowage.plan.time.TaskRanks;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of a tensor arena that placed records occupy, by task rank.
 *
 * <p>The index finds an offset for a record among the placed records that conflict with it.
 */
public final class OccupancyIndex {

  /*
   * No structure is fast for all inputs. Lists are the fastest if a lifetime meets at most some
   * thousand others. The tree of byte ranges has few ranges if many records touch each other.
   * There are about two maximal free rectangles for each record if lifetimes or sizes are
   * irregular. The index starts with the tree, and changes to lists when it sees that they are
   * faster. It changes to rectangles after too many steps. It changes to the tree, finally, after
   * the rectangles took too many steps or became too many.
   */

  /**
   * The limits that make the index change its structure.
   *
   * @param steps the steps of lists or the tree, without the steps for each record
   * @param stepsPerRecord the steps of lists or the tree for each placed record
   * @param factor the step limit of the rectangles, divided by the step limit of the tree
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

  /** Empty after the choice between lists and the tree. */
  private Optional<ListEstimate> lists;

  private boolean isFinal;
  private long stepsOfReplaced;

  /** Creates an empty index for records to place. */
  public OccupancyIndex(TaskRanks ranks, List<TensorUsageRecord> records) {
    this(ranks.count(), SwitchLimits.DEFAULT, ListEstimate.of(ranks, records));
  }

  OccupancyIndex(int rankCount, SwitchLimits limits, Optional<ListEstimate> lists) {
    this.rankCount = rankCount;
    this.limits = limits;
    this.lists = lists;
    placed = new OffsetRangesTree(rankCount);
    changeToListsIfFaster();
  }

  /** See {@link PlacedBytes#occupy}. */
  public void occupy(int firstRank, int lastRank, long start, long end) {
    placed.occupy(firstRank, lastRank, start, end);
    if (isFinal) {
      return;
    }
    occupied.add(firstRank, lastRank, start, end);
    changeToListsIfFaster();
    if (isTooCostly()) {
      isFinal = placed instanceof FreeRectangles || !switchToRectangles();
      if (isFinal) {
        rebuildAs(new OffsetRangesTree(rankCount));
      }
    }
  }

  /** Compares lists with the tree once, after some records or before the first one. */
  private void changeToListsIfFaster() {
    if (lists.isPresent() && occupied.count() >= lists.get().recordsToCompare()) {
      ListEstimate estimate = lists.get();
      lists = Optional.empty();
      if (placed instanceof OffsetRangesTree
          && (occupied.count() == 0 || estimate.areFaster(placed.steps(), occupied.count()))) {
        rebuildAs(new PlacedLists(rankCount, estimate.shift()));
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
