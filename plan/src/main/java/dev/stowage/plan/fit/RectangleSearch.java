package dev.stowage.plan.fit;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.time.LiveRange;

/** Searches for a maximal free rectangle that contains a range of ranks and a number of bytes. */
final class RectangleSearch {

  /*
   * Branch and bound: each search visits the tree depth first, the child with the better bound
   * first. It skips a node if the node's bounds exclude a better rectangle than the best so far.
   */

  private static final long NONE = Long.MAX_VALUE;
  private static final int LEAF_STEPS = 2;

  private final RectangleTree tree;

  private final PlacedEdges edges;

  private int first;
  private int last;
  private long bytes;
  private long alignment;

  private long startByte;
  private long endByte;
  private long lowestOffset;

  private long bestGap;
  private long bestStart;
  private long steps;

  RectangleSearch(RectangleTree tree, PlacedEdges edges) {
    this.tree = tree;
    this.edges = edges;
  }

  long steps() {
    return steps;
  }

  /** See {@link PlacedBytes#tightestGap}. */
  long tightest(int firstRank, int lastRank, long gapBytes, long gapAlignment) {
    first = firstRank;
    last = lastRank;
    bytes = gapBytes;
    alignment = gapAlignment;
    bestGap = NONE;
    bestStart = NONE;
    tightest(tree.root());
    return bestStart;
  }

  private void tightest(int node) {
    if (!mayBeTighter(node)) {
      return;
    }
    if (tree.isLeaf(node)) {
      tightestInLeaf(node);
      return;
    }
    int a = tree.left(node);
    int b = tree.right(node);
    boolean isLeftFirst =
        tree.minBytes(a) < tree.minBytes(b)
            || (tree.minBytes(a) == tree.minBytes(b) && tree.minStart(a) <= tree.minStart(b));
    tightest(isLeftFirst ? a : b);
    tightest(isLeftFirst ? b : a);
  }

  /** {@return true if the node's bounds permit a better gap than the best so far} */
  private boolean mayBeTighter(int node) {
    steps++;
    if (tree.count(node) == 0 || !tree.mayHold(node, first, last, bytes)) {
      return false;
    }
    // Aligning the start may shrink the rectangle.
    long minGap = Math.max(bytes, tree.minBytes(node) - (alignment - 1));
    return minGap < bestGap || (minGap == bestGap && tree.minStart(node) < bestStart);
  }

  private void tightestInLeaf(int leaf) {
    steps += LEAF_STEPS;
    int from = tree.from(leaf);
    for (int at = from; at < from + tree.count(leaf); at++) {
      if (tree.holds(at, first, last, bytes)) {
        long start = Alignment.up(tree.start(at), alignment);
        long end = tree.end(at);
        long gap = end == Long.MAX_VALUE ? Long.MAX_VALUE : end - start;
        if (gap >= bytes
            && (gap < bestGap || (gap == bestGap && start < bestStart))
            && edges.isGap(first, last, tree.start(at), end)) {
          bestGap = gap;
          bestStart = start;
        }
      }
    }
  }

  /** See {@link PlacedBytes#lowestGap}. */
  long lowest(LiveRange need, long from, long offsetAlignment) {
    first = (int) need.firstTask();
    last = (int) need.lastTask();
    bytes = need.bytes();
    startByte = need.startByte();
    endByte = need.endByte();
    lowestOffset = from;
    alignment = offsetAlignment;
    bestStart = NONE;
    lowest(tree.root());
    return bestStart;
  }

  private void lowest(int node) {
    steps++;
    if (tree.count(node) == 0
        || !tree.mayHold(node, first, last, bytes)
        || Math.max(lowestOffset, tree.minStart(node) - startByte) >= bestStart
        || tree.maxEnd(node) - endByte < lowestOffset) {
      return;
    }
    if (tree.isLeaf(node)) {
      lowestInLeaf(node);
      return;
    }
    int a = tree.left(node);
    int b = tree.right(node);
    boolean isLeftFirst = tree.minStart(a) <= tree.minStart(b);
    lowest(isLeftFirst ? a : b);
    lowest(isLeftFirst ? b : a);
  }

  private void lowestInLeaf(int leaf) {
    steps += LEAF_STEPS;
    int from = tree.from(leaf);
    for (int at = from; at < from + tree.count(leaf); at++) {
      if (tree.holds(at, first, last, bytes)) {
        long offset = Alignment.up(Math.max(lowestOffset, tree.start(at) - startByte), alignment);
        if (offset < bestStart && endByte <= tree.end(at) - offset) {
          bestStart = offset;
        }
      }
    }
  }

  /** See {@link PlacedBytes#lowestOccupied}; the result is the end of the gap at offset 0. */
  long lowestOccupied(int firstRank, int lastRank) {
    first = firstRank;
    last = lastRank;
    return highestEndAt0(tree.root(), 0);
  }

  private long highestEndAt0(int node, long best) {
    steps++;
    if (tree.count(node) == 0
        || !tree.mayHold(node, first, last, 1)
        || tree.minStart(node) > 0
        || tree.maxEnd(node) <= best) {
      return best;
    }
    if (!tree.isLeaf(node)) {
      return highestEndAt0(tree.right(node), highestEndAt0(tree.left(node), best));
    }
    long highest = best;
    int from = tree.from(node);
    for (int at = from; at < from + tree.count(node); at++) {
      if (tree.holds(at, first, last, 1) && tree.start(at) == 0) {
        highest = Math.max(highest, tree.end(at));
      }
    }
    return highest;
  }
}
