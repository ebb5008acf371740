package dev.stowage.core.plan.fit;

import dev.stowage.core.plan.LiveRange;
import java.util.List;

/**
 * Which bytes of a tensor arena are taken, during which tasks; tasks are given by their ranks.
 *
 * <p>Answers where a record fits among the records placed before that it conflicts with.
 */
public final class OccupancyIndex {

  /*
   * Neither way to keep placed records is quick for all inputs. Sets of taken bytes have few ranges
   * if lifetimes are short, or if there are few sizes, so that records touch each other. Maximal free
   * rectangles are about two for each record if lifetimes or sizes are irregular. An index starts
   * with sets. It changes to rectangles once sets took too many steps, and back for good once
   * rectangles took too many, or are too many.
   */

  /**
   * When to change.
   *
   * @param steps of sets, apart from those for each record
   * @param stepsOfARecord of sets, for each placed record
   * @param factor so many times the steps of sets are granted to rectangles, whose steps grow less
   * @param rectanglesOfARecord for each placed record, and as many again for each step above
   */
  record Patience(long steps, long stepsOfARecord, long factor, long rectanglesOfARecord) {

    static final Patience DEFAULT = new Patience(1 << 17, 512, 8, 16);

    boolean isOver(PlacedBytes placed, int records) {
      long granted = steps + stepsOfARecord * records;
      return switch (placed) {
        case TakenSets sets -> sets.steps() > granted;
        case FreeRectangles rectangles ->
            rectangles.steps() > factor * granted
                || rectangles.count() > steps + rectanglesOfARecord * records;
      };
    }
  }

  private final int rankCount;
  private final Patience patience;
  private final RectangleList taken = new RectangleList(64);
  private PlacedBytes placed;
  private boolean isSettled;
  private long pastSteps;

  public OccupancyIndex(int rankCount) {
    this(rankCount, Patience.DEFAULT);
  }

  public OccupancyIndex(int rankCount, Patience patience) {
    this.rankCount = rankCount;
    this.patience = patience;
    placed = new TakenSets(rankCount);
  }

  /** Marks {@code [start, end)} as taken from one rank to another, inclusive. */
  public void occupy(int firstRank, int lastRank, long start, long end) {
    placed.occupy(firstRank, lastRank, start, end);
    if (isSettled) {
      return;
    }
    taken.add(firstRank, lastRank, start, end);
    if (isCostly()) {
      isSettled = placed instanceof FreeRectangles || !isCheapAsRectangles();
      if (isSettled) {
        replaceBy(new TakenSets(rankCount));
      }
    }
  }

  private boolean isCostly() {
    return patience.isOver(placed, taken.count());
  }

  /** Changes to rectangles and {@return true if they stay cheap} */
  private boolean isCheapAsRectangles() {
    replaceBy(new FreeRectangles(rankCount));
    return !isCostly();
  }

  /** Gives all that is taken to an empty one, and stops early if that turns out costly. */
  private void replaceBy(PlacedBytes empty) {
    pastSteps += placed.steps();
    placed = empty;
    for (int k = 0; k < taken.count(); k++) {
      placed.occupy(taken.first(k), taken.last(k), taken.start(k), taken.end(k));
      if (!isSettled && isCostly()) {
        return;
      }
    }
  }

  /** {@return a measure of the work so far: see {@link PlacedBytes#steps}} */
  long steps() {
    return pastSteps + placed.steps();
  }

  /** See {@link PlacedBytes#tightestGap}. */
  public long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    return placed.tightestGap(firstRank, lastRank, bytes, alignment);
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
      long moved = placed.lowestGap(needs.get(k), offset, alignment);
      settled = moved == offset ? settled + 1 : 1;
      offset = moved;
    }
    return offset;
  }

  /** {@return whether all of {@code needs} is free at an offset} */
  boolean isFree(List<LiveRange> needs, long offset) {
    return needs.stream().allMatch(need -> placed.lowestGap(need, offset, 1) == offset);
  }

  /** See {@link PlacedBytes#lowestTaken}. */
  public long lowestTaken(int firstRank, int lastRank) {
    return placed.lowestTaken(firstRank, lastRank);
  }
}
