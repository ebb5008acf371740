package dev.stowage.plan.fit;

import dev.stowage.plan.time.LiveRange;

/**
 * The set of all maximal free rectangles, with ranks on one axis and bytes on the other.
 *
 * <p>Space and time depend on the number of rectangles: usually about two for each record, for any
 * number of conflicts; O(n²) for n records in the worst case. Maximal rectangles are a structure of
 * two-dimensional bin packing (Jylänki, "A Thousand Ways to Pack the Bin", 2010).
 */
final class FreeRectangles implements PlacedBytes {

  /*
   *   bytes
   *     ^      +-----+          A free rectangle is maximal if no side of it can move outwards.
   *     |  ....| ### |......    Maximal rectangles overlap. Here, with two placed records ###, one
   *     |      +-----+          lies between the records and spans all ranks. Others lie to the
   *     |   +------+            left and right of the records and above them.
   *     |   | #### |
   *     +---+------+------> ranks
   *
   *   R1  the tree holds exactly the maximal free rectangles, each once.
   *
   * Each gap for a lifetime, between the records with a common task, has the height of a maximal
   * rectangle over the lifetime. The converse does not hold: a rectangle that is wider than the
   * lifetime may be lower than the gap. The search for the lowest offset may ignore this, because
   * the gap starts no higher than the rectangle. The search for the smallest gap checks that placed
   * records bound the rectangle from above and below within the lifetime.
   *
   * A new record cuts each maximal rectangle that it overlaps into up to four parts: left, right,
   * below and above. A part is maximal if each of its sides touches a placed record or the border.
   * One side touches the new record. The opposite side is an unchanged side of the rectangle. So
   * only the other two sides need a test. No two parts are equal: otherwise, one of their
   * rectangles would have contained the other.
   */

  private static final int STEPS_PER_CUT = 16;

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

  /** {@return the number of rectangles} */
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
    steps += (long) STEPS_PER_CUT * cut.count();
  }

  /** Adds the part at the left or right of a new record if it is not empty and maximal. */
  private void addBeside(int first, int last, long start, long end) {
    if (first <= last && edges.isGap(first, last, start, end)) {
      tree.add(first, last, start, end);
    }
  }

  /** Adds the part below or above a new record if it is not empty and maximal. */
  private void addLayer(int first, int last, long start, long end) {
    if (start < end && edges.isBounded(first, last, start, end)) {
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
  public long lowestOccupied(int firstRank, int lastRank) {
    return search.lowestOccupied(firstRank, lastRank);
  }

  @Override
  public long steps() {
    return steps + tree.steps() + search.steps();
  }

  /** {@return the rectangles, in any order} */
  RectangleList rectangles() {
    return tree.rectangles();
  }

  /**
   * Checks the invariants of the tree; see {@link RectangleTree#checkInvariants}.
   *
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants() {
    tree.checkInvariants();
  }
}
