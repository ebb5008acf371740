package dev.stowage.core.plan.fit;

import java.util.Arrays;

/** A set of rectangles, found by ranks, by bytes and by height. */
final class RectangleTree {

  /*
   * A k-d tree of four keys: first rank, last rank, start, and height in bytes. Leaves hold fewer than
   * LEAF rectangles. Each node knows bounds of the rectangles below it, and a search skips nodes
   * whose bounds rule a hit out. It never looks at the keys by which nodes were split, so that equal
   * keys may lie on either side.
   *
   *   N1  a node's count is that of the rectangles below it, and its bounds are the narrowest;
   *   N2  a child has at most three quarters of its parent's rectangles, and LEAF more; when adding
   *       a rectangle breaks this, the topmost node concerned is built anew.
   *
   * So the depth is O(log n), and adding costs amortized O(log² n). The fields of a node lie next to
   * each other, as do two siblings: a search waits for memory more than it compares.
   */

  private static final int LEAF = 32;

  /** A leaf that was built has room for more. */
  private static final int BUILT_LEAF = 20;

  private static final int KEYS = 4;

  private static final int FIELDS = 8;
  private static final int MIN_FIRST = 0;
  private static final int MAX_LAST = 1;
  private static final int MIN_START = 2;
  private static final int MAX_END = 3;
  private static final int MIN_BYTES = 4;
  private static final int MAX_BYTES = 5;
  private static final int COUNT = 6;

  /** The left child, whose sibling comes next; of a leaf, -1 minus its number. */
  private static final int LEFT = 7;

  private static final int NONE = -1;
  private static final int ROOT = 0;

  private long[] nodes = new long[FIELDS * 16];
  private byte[] depths = new byte[16];

  /** The key by which an inner node was split, and where. */
  private byte[] splitKey = new byte[16];

  private long[] splitAt = new long[16];

  /** The rectangles of all leaves, each with room for LEAF of them. */
  private int[] firsts = new int[LEAF];

  private int[] lasts = new int[LEAF];
  private long[] starts = new long[LEAF];
  private long[] ends = new long[LEAF];
  private int leafCount;
  private int[] unusedLeaves = new int[16];
  private int unusedLeafCount;

  private int nodeCount = 1;
  private int[] unusedPairs = new int[16];
  private int unusedCount;

  private final RectangleList rebuilt = new RectangleList(2 * LEAF);
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
    return (int) (-1 - field(leaf, LEFT)) * LEAF;
  }

  long start(int at) {
    return starts[at];
  }

  long end(int at) {
    return ends[at];
  }

  /** {@return true if a rectangle holds the ranks and has that many bytes} */
  boolean holds(int at, int first, int last, long bytes) {
    return firsts[at] <= first && lasts[at] >= last && ends[at] - starts[at] >= bytes;
  }

  private static long bytes(long start, long end) {
    return end == Long.MAX_VALUE ? Long.MAX_VALUE : end - start;
  }

  int left(int node) {
    return (int) field(node, LEFT);
  }

  int right(int node) {
    return left(node) + 1;
  }

  /** {@return true if some rectangle may hold the ranks and have that many bytes} */
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

  /** Adds a rectangle; the set must not have it. */
  void add(int first, int last, long start, long end) {
    int node = ROOT;
    int unbalanced = NONE;
    while (!isLeaf(node)) {
      widen(node, first, last, start, end);
      long key = key(first, last, start, end, splitKey[node]);
      boolean isLess =
          key < splitAt[node] || (key == splitAt[node] && count(left(node)) <= count(right(node)));
      int child = isLess ? left(node) : right(node);
      if (unbalanced == NONE && count(child) > count(node) / 4 * 3 + LEAF) {
        unbalanced = node;
      }
      node = child;
    }
    put(from(node) + count(node), first, last, start, end);
    widen(node, first, last, start, end);
    if (unbalanced != NONE) {
      rebuild(unbalanced);
    } else if (count(node) == LEAF) {
      rebuild(node);
    }
  }

  private void put(int at, int first, int last, long start, long end) {
    firsts[at] = first;
    lasts[at] = last;
    starts[at] = start;
    ends[at] = end;
  }

  private void widen(int node, int first, int last, long start, long end) {
    int at = FIELDS * node;
    long bytes = bytes(start, end);
    nodes[at + COUNT]++;
    nodes[at + MIN_FIRST] = Math.min(nodes[at + MIN_FIRST], first);
    nodes[at + MAX_LAST] = Math.max(nodes[at + MAX_LAST], last);
    nodes[at + MIN_START] = Math.min(nodes[at + MIN_START], start);
    nodes[at + MAX_END] = Math.max(nodes[at + MAX_END], end);
    nodes[at + MIN_BYTES] = Math.min(nodes[at + MIN_BYTES], bytes);
    nodes[at + MAX_BYTES] = Math.max(nodes[at + MAX_BYTES], bytes);
  }

  /** Moves the rectangles that overlap a rectangle to {@code cut}. */
  void cut(int first, int last, long start, long end, RectangleList cut) {
    cut(ROOT, first, last, start, end, cut);
  }

  /** {@return true if rectangles below a node were moved} */
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
      widen(node, firsts[at], lasts[at], starts[at], ends[at]);
    }
  }

  private static long key(int first, int last, long start, long end, int key) {
    return switch (key) {
      case 0 -> first;
      case 1 -> last;
      case 2 -> start;
      default -> bytes(start, end);
    };
  }

  private long rebuiltKey(int k, int key) {
    return key(rebuilt.first(k), rebuilt.last(k), rebuilt.start(k), rebuilt.end(k), key);
  }

  private void rebuild(int node) {
    rebuilt.clear();
    takeApart(node);
    build(node, 0, rebuilt.count(), depths[node]);
  }

  /** Collects the rectangles below a node, and frees its leaf or the nodes below it. */
  private void takeApart(int node) {
    if (isLeaf(node)) {
      int from = from(node);
      for (int at = from; at < from + count(node); at++) {
        rebuilt.add(firsts[at], lasts[at], starts[at], ends[at]);
      }
      if (unusedLeafCount == unusedLeaves.length) {
        unusedLeaves = Arrays.copyOf(unusedLeaves, 2 * unusedLeafCount);
      }
      unusedLeaves[unusedLeafCount++] = from / LEAF;
      return;
    }
    takeApart(left(node));
    takeApart(right(node));
    if (unusedCount == unusedPairs.length) {
      unusedPairs = Arrays.copyOf(unusedPairs, 2 * unusedCount);
    }
    unusedPairs[unusedCount++] = left(node);
  }

  private void build(int node, int from, int to, int depth) {
    depths[node] = (byte) depth;
    if (to - from <= BUILT_LEAF) {
      makeLeaf(node, from, to);
      return;
    }
    int by = varyingKey(from, to, depth % KEYS);
    int middle = (from + to) >>> 1;
    select(from, to - 1, middle, by);
    int pair = newPair();
    splitKey[node] = (byte) by;
    splitAt[node] = rebuiltKey(middle, by);
    nodes[FIELDS * node + LEFT] = pair;
    build(pair, from, middle, depth + 1);
    build(pair + 1, middle, to, depth + 1);
    boundByChildren(node);
  }

  private void makeLeaf(int node, int from, int to) {
    int leaf = newLeaf();
    nodes[FIELDS * node + LEFT] = -1L - leaf;
    for (int k = from; k < to; k++) {
      int at = leaf * LEAF + k - from;
      put(at, rebuilt.first(k), rebuilt.last(k), rebuilt.start(k), rebuilt.end(k));
    }
    boundLeaf(node, to - from);
  }

  private int newLeaf() {
    if (unusedLeafCount > 0) {
      return unusedLeaves[--unusedLeafCount];
    }
    if (leafCount * LEAF == firsts.length) {
      int capacity = 2 * firsts.length;
      firsts = Arrays.copyOf(firsts, capacity);
      lasts = Arrays.copyOf(lasts, capacity);
      starts = Arrays.copyOf(starts, capacity);
      ends = Arrays.copyOf(ends, capacity);
    }
    return leafCount++;
  }

  /** {@return the next key by which some rectangles differ} */
  private int varyingKey(int from, int to, int key) {
    for (int by = key; by < key + KEYS; by++) {
      long value = rebuiltKey(from, by % KEYS);
      for (int k = from + 1; k < to; k++) {
        if (rebuiltKey(k, by % KEYS) != value) {
          return by % KEYS;
        }
      }
    }
    throw new AssertionError("N1 equal rectangles");
  }

  /** Moves lesser rectangles before a position, and greater ones behind it. */
  private void select(int from, int to, int position, int by) {
    int low = from;
    int high = to;
    while (low < high) {
      long pivot = rebuiltKey((low + high) >>> 1, by);
      int a = low;
      int b = high;
      while (a <= b) {
        while (rebuiltKey(a, by) < pivot) {
          a++;
        }
        while (rebuiltKey(b, by) > pivot) {
          b--;
        }
        if (a <= b) {
          rebuilt.swap(a++, b--);
        }
      }
      if (position <= b) {
        high = b;
      } else if (position >= a) {
        low = a;
      } else {
        return;
      }
    }
  }

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
}
