package dev.stowage.core.plan.fit;

import dev.stowage.core.plan.LiveRange;

/**
 * The bytes that placed records leave free, as the largest free rectangles of ranks and bytes.
 *
 * <p>Space and time depend on the number of such rectangles: mostly about two for each record,
 * however many records conflict; at worst, O(n²) for n records.
 */
final class FreeRectangles implements PlacedBytes {

  /*
   *   bytes
   *     ^      +-----+          A free rectangle is maximal if it cannot grow to any side. They
   *     |  ....| ### |......    overlap: here, for two placed records ###, the one below the dots
   *     |      +-----+          spans all ranks, and others lie left, right and above.
   *     |   +------+
   *     |   | #### |
   *     +---+------+------> ranks
   *
   *   R1  every free rectangle is part of a maximal one;
   *   R2  none of the set holds another one.
   *
   * A gap between the records that a lifetime meets is the height of a maximal rectangle, which holds
   * the lifetime. The reverse does not hold: a rectangle that is wider than the lifetime may be
   * lower than the gap. It does no harm when the lowest offset is wanted, as the gap is lower still.
   * When the smallest gap is wanted, placed records must start and end, within the lifetime, where
   * the rectangle ends and starts.
   *
   * A new record cuts each maximal rectangle that it overlaps into up to four parts, left, right,
   * below and above. A part is maximal if each of its sides touches a placed record or a wall. One
   * side touches the new record, and the opposite one is a side of the rectangle, as long as before;
   * so the other two decide. Two parts are never equal, or one of the rectangles would have held the
   * other.
   */

  private static final int STEPS_OF_A_CUT = 16;

  private final RectangleTree tree = new RectangleTree();
  private final PlacedEdges edges;
  private final RectangleSearch search;
  private final RectangleList cut = new RectangleList(16);
  private long steps;

  FreeRectangles(int rankCount) {
    edges = new PlacedEdges(rankCount);
    search = new RectangleSearch(tree, edges);
    if (rankCount > 0) {
      tree.add(0, rankCount - 1, 0, Long.MAX_VALUE);
    }
  }

  int count() {
    return tree.count(tree.root());
  }

  @Override
  public void occupy(int firstRank, int lastRank, long start, long end) {
    if (start >= end) {
      return;
    }
    edges.add(firstRank, lastRank, start, end);
    cut.clear();
    tree.cut(firstRank, lastRank, start, end, cut);
    for (int k = 0; k < cut.count(); k++) {
      int first = cut.first(k);
      int last = cut.last(k);
      long from = cut.start(k);
      long to = cut.end(k);
      addBeside(first, firstRank - 1, from, to);
      addBeside(lastRank + 1, last, from, to);
      addLayer(first, last, from, start);
      addLayer(first, last, end, to);
    }
    steps += (long) STEPS_OF_A_CUT * cut.count();
  }

  private void addBeside(int first, int last, long start, long end) {
    if (first <= last && edges.isGap(first, last, start, end)) {
      tree.add(first, last, start, end);
    }
  }

  private void addLayer(int first, int last, long start, long end) {
    if (start < end && edges.isBetweenWalls(first, last, start, end)) {
      tree.add(first, last, start, end);
    }
  }

  @Override
  public long tightestGap(int firstRank, int lastRank, long bytes, long alignment) {
    return search.tightest(firstRank, lastRank, bytes, alignment);
  }

  @Override
  public long lowestGap(LiveRange need, long from, long alignment) {
    return search.lowest(need, from, alignment);
  }

  @Override
  public long lowestTaken(int firstRank, int lastRank) {
    return search.lowestTaken(firstRank, lastRank);
  }

  @Override
  public long steps() {
    return steps + tree.steps() + search.steps();
  }
}
