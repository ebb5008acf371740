package dev.stowage.plan.fit;

import java.util.Arrays;

/** A k-d tree of rectangles (Bentley, 1975) that is searched by ranks, bytes and height. */
final class RectangleTree {

  /*
   * The tree has four keys: first rank, last rank, start, and height in bytes. Each node has the
   * bounds of the rectangles below it. A search skips a node if its bounds exclude a match.
   * Searches ignore the split keys, so equal keys may lie on both sides of a split.
   *
   *   N1  a node has the count and the bounds of the rectangles below it;
   *   N2  a leaf has fewer than LEAF_CAPACITY rectangles;
   *   N3  no two rectangles are equal (R1 of FreeRectangles).
   *
   * A scapegoat tree (Galperin and Rivest, 1993): if an added rectangle gives a child more than
   * three quarters of its parent's rectangles plus LEAF_CAPACITY, the topmost such parent is
   * rebuilt. The depth is O(log n) for the largest n so far, and adding costs O(log² n) amortized.
   * The fields of a node are adjacent in memory, as are siblings, because cache misses dominate the
   * cost of a search.
   */

  private static final int LEAF_CAPACITY = 32;

  /** The largest leaf that a rebuild creates; it has room for more rectangles. */
  private static final int MAX_BUILT_LEAF = 20;

  private static final int FIELDS = 8;
  private static final int MIN_FIRST = 0;
  private static final int MAX_LAST = 1;
  private static final int MIN_START = 2;
  private static final int MAX_END = 3;
  private static final int MIN_BYTES = 4;
  private static final int MAX_BYTES = 5;
  private static final int COUNT = 6;

  /** The left child, followed by its sibling; in a leaf, -1 minus the number of the leaf. */
  private static final int LEFT = 7;

  private static final int NONE = -1;
  private static final int ROOT = 0;

  private long[] nodes = new long[FIELDS * 16];
  private byte[] depths = new byte[16];

  /** The key of each inner node's split, and the value of that key at the split. */
  private byte[] splitKey = new byte[16];

  private long[] splitAt = new long[16];

  /** The rectangles of all leaves; each leaf has LEAF_CAPACITY entries. */
  private int[] firsts = new int[LEAF_CAPACITY];

  private int[] lasts = new int[LEAF_CAPACITY];
  private long[] starts = new long[LEAF_CAPACITY];
  private long[] ends = new long[LEAF_CAPACITY];
  private int leafCount;
  private int[] unusedLeaves = new int[16];
  private int unusedLeafCount;

  private int nodeCount = 1;
  private int[] unusedPairs = new int[16];
  private int unusedCount;

  private final RectangleList rebuilt = new RectangleList(2 * LEAF_CAPACITY);
  private long steps;

  RectangleTree() {
    makeLeaf(ROOT, 0, 0);
  }

  int root() {
    return ROOT;
  }

  /** {@return the number of nodes that {@link #cut} visited} */
  long steps() {
    return steps;
  }

  int count(int node) {
    return (int) field(node, COUNT);
  }

  boolean isLeaf(int node) {
    return field(node, LEFT) < 0;
  }

  /** {@return the index of the first rectangle of a leaf; there are {@link #count} of them} */
  int from(int leaf) {
    return (int) (-1 - field(leaf, LEFT)) * LEAF_CAPACITY;
  }

  long start(int at) {
    return starts[at];
  }

  long end(int at) {
    return ends[at];
  }

  /** {@return true if a rectangle contains the ranks and has at least {@code bytes}} */
  boolean holds(int at, int first, int last, long bytes) {
    return firsts[at] <= first && lasts[at] >= last && ends[at] - starts[at] >= bytes;
  }

  int left(int node) {
    return (int) field(node, LEFT);
  }

  int right(int node) {
    return left(node) + 1;
  }

  /** {@return true unless the bounds of a node exclude that a rectangle below it {@link #holds}} */
  boolean mayHold(int node, int first, int last, long bytes) {
    return field(node, MIN_FIRST) <= first
        && field(node, MAX_LAST) >= last
        && field(node, MAX_BYTES) >= bytes;
  }

  long minStart(int node) {
    return field(node, MIN_START);
  }

  long maxEnd(int node) {
    return field(node, MAX_END);
  }

  long minBytes(int node) {
    return field(node, MIN_BYTES);
  }

  private long field(int node, int field) {
    return nodes[FIELDS * node + field];
  }

  /** Adds a rectangle that is not in the tree. */
  void add(int first, int last, long start, long end) {
    int node = ROOT;
    int unbalanced = NONE;
    while (!isLeaf(node)) {
      extend(node, first, last, start, end);
      long key = RectangleList.key(first, last, start, end, splitKey[node]);
      boolean isLess =
          key < splitAt[node] || (key == splitAt[node] && count(left(node)) <= count(right(node)));
      int child = isLess ? left(node) : right(node);
      if (unbalanced == NONE && count(child) > count(node) / 4 * 3 + LEAF_CAPACITY) {
        unbalanced = node;
      }
      node = child;
    }
    put(from(node) + count(node), first, last, start, end);
    extend(node, first, last, start, end);
    if (unbalanced != NONE) {
      rebuild(unbalanced);
    } else if (count(node) == LEAF_CAPACITY) {
      rebuild(node);
    }
  }

  private void put(int at, int first, int last, long start, long end) {
    firsts[at] = first;
    lasts[at] = last;
    starts[at] = start;
    ends[at] = end;
  }

  /** Adds a rectangle to the count and the bounds of a node. */
  private void extend(int node, int first, int last, long start, long end) {
    int at = FIELDS * node;
    long bytes = RectangleList.bytes(start, end);
    nodes[at + COUNT]++;
    nodes[at + MIN_FIRST] = Math.min(nodes[at + MIN_FIRST], first);
    nodes[at + MAX_LAST] = Math.max(nodes[at + MAX_LAST], last);
    nodes[at + MIN_START] = Math.min(nodes[at + MIN_START], start);
    nodes[at + MAX_END] = Math.max(nodes[at + MAX_END], end);
    nodes[at + MIN_BYTES] = Math.min(nodes[at + MIN_BYTES], bytes);
    nodes[at + MAX_BYTES] = Math.max(nodes[at + MAX_BYTES], bytes);
  }

  /** Removes the rectangles that overlap the given one and adds them to {@code cut}. */
  void cut(int first, int last, long start, long end, RectangleList cut) {
    cut(ROOT, first, last, start, end, cut);
  }

  /** {@return true if rectangles below a node were removed} */
  private boolean cut(int node, int first, int last, long start, long end, RectangleList cut) {
    steps++;
    int at = FIELDS * node;
    if (nodes[at + MIN_FIRST] > last
        || nodes[at + MAX_LAST] < first
        || nodes[at + MIN_START] >= end
        || nodes[at + MAX_END] <= start) {
      return false;
    }
    if (isLeaf(node)) {
      return cutLeaf(node, first, last, start, end, cut);
    }
    boolean isLeftCut = cut(left(node), first, last, start, end, cut);
    boolean isRightCut = cut(right(node), first, last, start, end, cut);
    if (isLeftCut || isRightCut) {
      boundByChildren(node);
    }
    return isLeftCut || isRightCut;
  }

  private boolean cutLeaf(int node, int first, int last, long start, long end, RectangleList cut) {
    int before = count(node);
    int count = before;
    int from = from(node);
    for (int at = from + before - 1; at >= from; at--) {
      if (starts[at] < end && ends[at] > start && firsts[at] <= last && lasts[at] >= first) {
        cut.add(firsts[at], lasts[at], starts[at], ends[at]);
        count--;
        int moved = from + count;
        put(at, firsts[moved], lasts[moved], starts[moved], ends[moved]);
      }
    }
    if (count < before) {
      boundLeaf(node, count);
    }
    return count < before;
  }

  /** Computes the count and the bounds of a node from its children. */
  private void boundByChildren(int node) {
    int at = FIELDS * node;
    int a = FIELDS * left(node);
    int b = FIELDS * right(node);
    nodes[at + COUNT] = nodes[a + COUNT] + nodes[b + COUNT];
    nodes[at + MIN_FIRST] = Math.min(nodes[a + MIN_FIRST], nodes[b + MIN_FIRST]);
    nodes[at + MAX_LAST] = Math.max(nodes[a + MAX_LAST], nodes[b + MAX_LAST]);
    nodes[at + MIN_START] = Math.min(nodes[a + MIN_START], nodes[b + MIN_START]);
    nodes[at + MAX_END] = Math.max(nodes[a + MAX_END], nodes[b + MAX_END]);
    nodes[at + MIN_BYTES] = Math.min(nodes[a + MIN_BYTES], nodes[b + MIN_BYTES]);
    nodes[at + MAX_BYTES] = Math.max(nodes[a + MAX_BYTES], nodes[b + MAX_BYTES]);
  }

  /** Computes the count and the bounds of a leaf from its rectangles. */
  private void boundLeaf(int node, int count) {
    int field = FIELDS * node;
    nodes[field + COUNT] = 0;
    nodes[field + MIN_FIRST] = Long.MAX_VALUE;
    nodes[field + MAX_LAST] = -1;
    nodes[field + MIN_START] = Long.MAX_VALUE;
    nodes[field + MAX_END] = -1;
    nodes[field + MIN_BYTES] = Long.MAX_VALUE;
    nodes[field + MAX_BYTES] = -1;
    int from = from(node);
    for (int at = from; at < from + count; at++) {
      extend(node, firsts[at], lasts[at], starts[at], ends[at]);
    }
  }

  /** Rebuilds the subtree of a node, balanced. */
  private void rebuild(int node) {
    rebuilt.clear();
    dismantle(node);
    build(node, 0, rebuilt.count(), depths[node]);
  }

  /** Adds the rectangles below a node to {@code rebuilt} and frees its leaves and descendants. */
  private void dismantle(int node) {
    if (isLeaf(node)) {
      int from = from(node);
      for (int at = from; at < from + count(node); at++) {
        rebuilt.add(firsts[at], lasts[at], starts[at], ends[at]);
      }
      if (unusedLeafCount == unusedLeaves.length) {
        unusedLeaves = Arrays.copyOf(unusedLeaves, 2 * unusedLeafCount);
      }
      unusedLeaves[unusedLeafCount++] = from / LEAF_CAPACITY;
      return;
    }
    dismantle(left(node));
    dismantle(right(node));
    if (unusedCount == unusedPairs.length) {
      unusedPairs = Arrays.copyOf(unusedPairs, 2 * unusedCount);
    }
    unusedPairs[unusedCount++] = left(node);
  }

  /** Builds the subtree of a node from the rectangles [from, to) of {@code rebuilt}. */
  private void build(int node, int from, int to, int depth) {
    depths[node] = (byte) depth;
    if (to - from <= MAX_BUILT_LEAF) {
      makeLeaf(node, from, to);
      return;
    }
    int by = rebuilt.varyingKey(from, to, depth % RectangleList.KEYS);
    int middle = (from + to) >>> 1;
    rebuilt.select(from, to - 1, middle, by);
    int pair = newPair();
    splitKey[node] = (byte) by;
    splitAt[node] = rebuilt.key(middle, by);
    nodes[FIELDS * node + LEFT] = pair;
    build(pair, from, middle, depth + 1);
    build(pair + 1, middle, to, depth + 1);
    boundByChildren(node);
  }

  private void makeLeaf(int node, int from, int to) {
    int leaf = newLeaf();
    nodes[FIELDS * node + LEFT] = -1L - leaf;
    for (int k = from; k < to; k++) {
      int at = leaf * LEAF_CAPACITY + k - from;
      put(at, rebuilt.first(k), rebuilt.last(k), rebuilt.start(k), rebuilt.end(k));
    }
    boundLeaf(node, to - from);
  }

  private int newLeaf() {
    if (unusedLeafCount > 0) {
      return unusedLeaves[--unusedLeafCount];
    }
    if (leafCount * LEAF_CAPACITY == firsts.length) {
      int capacity = 2 * firsts.length;
      firsts = Arrays.copyOf(firsts, capacity);
      lasts = Arrays.copyOf(lasts, capacity);
      starts = Arrays.copyOf(starts, capacity);
      ends = Arrays.copyOf(ends, capacity);
    }
    return leafCount++;
  }

  /** {@return the first of two adjacent unused nodes} */
  private int newPair() {
    if (unusedCount > 0) {
      return unusedPairs[--unusedCount];
    }
    if (nodeCount + 2 > depths.length) {
      int capacity = 2 * depths.length;
      nodes = Arrays.copyOf(nodes, FIELDS * capacity);
      depths = Arrays.copyOf(depths, capacity);
      splitKey = Arrays.copyOf(splitKey, capacity);
      splitAt = Arrays.copyOf(splitAt, capacity);
    }
    nodeCount += 2;
    return nodeCount - 2;
  }

  /** {@return all rectangles, in any order} */
  RectangleList rectangles() {
    RectangleList all = new RectangleList(count(ROOT));
    list(ROOT, all);
    return all;
  }

  private void list(int node, RectangleList all) {
    if (isLeaf(node)) {
      for (int at = from(node); at < from(node) + count(node); at++) {
        all.add(firsts[at], lasts[at], starts[at], ends[at]);
      }
    } else {
      list(left(node), all);
      list(right(node), all);
    }
  }

  /**
   * Checks N1 and N2; a rebuild checks N3.
   *
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants() {
    check(ROOT);
  }

  private void check(int node) {
    long[] found = Arrays.copyOfRange(nodes, FIELDS * node, FIELDS * node + LEFT);
    if (isLeaf(node)) {
      if (count(node) >= LEAF_CAPACITY) {
        throw new AssertionError("N2 leaf of " + count(node) + " rectangles");
      }
      boundLeaf(node, count(node));
    } else {
      check(left(node));
      check(right(node));
      boundByChildren(node);
    }
    if (!Arrays.equals(found, 0, LEFT, nodes, FIELDS * node, FIELDS * node + LEFT)) {
      throw new AssertionError("N1 bounds of node " + node);
    }
  }
}
