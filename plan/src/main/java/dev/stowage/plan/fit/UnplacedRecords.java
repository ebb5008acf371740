package dev.stowage.plan.fit;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;

/** A set of lifetimes that finds long ones within a range of ranks. */
final class UnplacedRecords {

  /*
   * The records lie in blocks, by first rank. A binary tree over the blocks has bounds of the
   * records below each node. A search skips a node if its bounds exclude a longer lifetime.
   *
   *   U1  the bounds of a node are computed from the records of the set below it.
   *
   * The fields of a node are adjacent in memory, because cache misses dominate the cost of a search.
   */

  private static final int BLOCK_SHIFT = 4;
  private static final int BLOCK_LENGTH = 1 << BLOCK_SHIFT;

  /** The most steps of a search. */
  private static final int MAX_STEPS = 512;

  private static final int FIELDS = 4;
  private static final int MIN_FIRST = 0;
  private static final int MIN_LAST = 1;
  private static final int MAX_LAST = 2;
  private static final int MAX_LENGTH = 3;

  /** The records by position: by first rank, then by index. */
  private final int[] records;

  /** The position of each record. */
  private final int[] positions;

  private final int[] firsts;

  /** The first position of each rank, and the number of records. */
  private final int[] starts;

  /** The last rank by position; {@link Integer#MAX_VALUE} for records that are not in the set. */
  private final int[] lasts;

  private final int leafCount;
  private final int[] nodes;

  /** The positions of the searched records, from the first to before the last one. */
  private int from;

  private int to;

  private int minLast;
  private int maxLast;

  /** The largest number of records that the search returns. */
  private int wanted;

  /** The lifetimes found so far, longest first. */
  private int[] found = {};

  private int[] foundLengths = {};
  private int foundCount;

  /** The length that a lifetime must exceed. */
  private int minLength;

  private long steps;
  private long stepLimit;

  /**
   * Creates a set.
   *
   * @param records the records of the set; their lifetimes are {@code first[i]} to {@code last[i]}
   * @param rankCount the number of ranks
   */
  UnplacedRecords(int[] records, int[] first, int[] last, int rankCount) {
    int count = records.length;
    int[] order = IndexOrder.ascending(count, k -> first[records[k]]);
    this.records = new int[count];
    positions = new int[first.length];
    firsts = new int[count];
    lasts = new int[count];
    for (int at = 0; at < count; at++) {
      int record = records[order[at]];
      this.records[at] = record;
      positions[record] = at;
      firsts[at] = first[record];
      lasts[at] = last[record];
    }
    starts = new int[rankCount + 1];
    for (int at = 0, rank = 0; rank <= rankCount; rank++) {
      while (at < count && firsts[at] < rank) {
        at++;
      }
      starts[rank] = at;
    }
    int blocks = Math.max(1, (count + BLOCK_LENGTH - 1) >> BLOCK_SHIFT);
    leafCount = blocks == 1 ? 1 : 2 * Integer.highestOneBit(blocks - 1);
    nodes = new int[FIELDS * 2 * leafCount];
    for (int leaf = 0; leaf < leafCount; leaf++) {
      boundLeaf(leaf);
    }
    for (int node = leafCount - 1; node > 0; node--) {
      boundByChildren(node);
    }
  }

  /** {@return the work so far; a step takes a few nanoseconds} */
  long steps() {
    return steps;
  }

  void remove(int record) {
    int at = positions[record];
    lasts[at] = Integer.MAX_VALUE;
    int leaf = at >> BLOCK_SHIFT;
    boundLeaf(leaf);
    for (int node = (leafCount + leaf) >> 1; node > 0; node >>= 1) {
      boundByChildren(node);
    }
  }

  /**
   * Finds the records with lifetimes from {@code low} to {@code high} at most that contain {@code
   * rank}, and {@return the number of records found}
   *
   * <p>These are the longest ones, with two exceptions: the search ignores differences of a 64th,
   * and ends after a limited number of steps, perhaps without a record.
   *
   * @param most the largest number of records to find
   */
  int findAt(int rank, int low, int high, int most) {
    return find(low, rank, rank, high, most);
  }

  /** Finds a record with a lifetime within ranks, if there is one; see {@link #findAt}. */
  int findWithin(int low, int high) {
    // The search cannot end without a record: if the least last rank of a node that starts at or
    // after `low` is at most `high`, a record below the node has both.
    return find(low, high, low, high, 1);
  }

  /** {@return the k-th record found, longest first} */
  int found(int k) {
    return found[k];
  }

  private int find(int lowFirst, int highFirst, int lowLast, int highLast, int most) {
    from = starts[lowFirst];
    to = starts[highFirst + 1];
    minLast = lowLast;
    maxLast = highLast;
    if (most > found.length) {
      found = new int[most];
      foundLengths = new int[most];
    }
    wanted = most;
    foundCount = 0;
    minLength = 0;
    stepLimit = steps + MAX_STEPS;
    if (from < to) {
      search(1, 0, leafCount << BLOCK_SHIFT);
    }
    return foundCount;
  }

  /** Searches below a node with the positions from {@code start} to before {@code end}. */
  private void search(int node, int start, int end) {
    steps++;
    int at = FIELDS * node;
    if (start >= to
        || end <= from
        || steps > stepLimit
        || nodes[at + MIN_LAST] > maxLast
        || nodes[at + MAX_LAST] < minLast) {
      return;
    }
    int first = start < from ? firsts[from] : nodes[at + MIN_FIRST];
    int length = Math.min(nodes[at + MAX_LENGTH], maxLast - first + 1);
    if (length - (length >> 6) <= minLength) {
      return;
    }
    if (node >= leafCount) {
      searchBlock(Math.max(start, from), Math.min(end, to));
      return;
    }
    int middle = (start + end) >>> 1;
    if (nodes[FIELDS * (2 * node) + MAX_LENGTH] >= nodes[FIELDS * (2 * node + 1) + MAX_LENGTH]) {
      search(2 * node, start, middle);
      search(2 * node + 1, middle, end);
    } else {
      search(2 * node + 1, middle, end);
      search(2 * node, start, middle);
    }
  }

  private void searchBlock(int start, int end) {
    steps += 2;
    for (int at = start; at < end; at++) {
      int length = lasts[at] - firsts[at] + 1;
      if (lasts[at] <= maxLast && lasts[at] >= minLast && length > minLength) {
        addFound(records[at], length);
      }
    }
  }

  private void addFound(int record, int length) {
    int k = foundCount < wanted ? foundCount++ : wanted - 1;
    for (; k > 0 && foundLengths[k - 1] < length; k--) {
      found[k] = found[k - 1];
      foundLengths[k] = foundLengths[k - 1];
    }
    found[k] = record;
    foundLengths[k] = length;
    minLength = foundCount < wanted ? 0 : foundLengths[wanted - 1];
  }

  private void boundLeaf(int leaf) {
    int minFirst = Integer.MAX_VALUE;
    int minLast = Integer.MAX_VALUE;
    int maxLast = -1;
    int maxLength = 0;
    int end = Math.min(lasts.length, (leaf + 1) << BLOCK_SHIFT);
    for (int at = leaf << BLOCK_SHIFT; at < end; at++) {
      if (lasts[at] < Integer.MAX_VALUE) {
        minFirst = Math.min(minFirst, firsts[at]);
        minLast = Math.min(minLast, lasts[at]);
        maxLast = Math.max(maxLast, lasts[at]);
        maxLength = Math.max(maxLength, lasts[at] - firsts[at] + 1);
      }
    }
    setBounds(leafCount + leaf, minFirst, minLast, maxLast, maxLength);
  }

  private void boundByChildren(int node) {
    int a = FIELDS * 2 * node;
    int b = a + FIELDS;
    setBounds(
        node,
        Math.min(nodes[a + MIN_FIRST], nodes[b + MIN_FIRST]),
        Math.min(nodes[a + MIN_LAST], nodes[b + MIN_LAST]),
        Math.max(nodes[a + MAX_LAST], nodes[b + MAX_LAST]),
        Math.max(nodes[a + MAX_LENGTH], nodes[b + MAX_LENGTH]));
  }

  private void setBounds(int node, int minFirst, int minLast, int maxLast, int maxLength) {
    int at = FIELDS * node;
    nodes[at + MIN_FIRST] = minFirst;
    nodes[at + MIN_LAST] = minLast;
    nodes[at + MAX_LAST] = maxLast;
    nodes[at + MAX_LENGTH] = maxLength;
  }

  /**
   * Checks U1.
   *
   * @throws AssertionError if it does not hold
   */
  void checkInvariants() {
    int[] found = nodes.clone();
    for (int leaf = 0; leaf < leafCount; leaf++) {
      boundLeaf(leaf);
    }
    for (int node = leafCount - 1; node > 0; node--) {
      boundByChildren(node);
    }
    if (!Arrays.equals(found, nodes)) {
      throw new AssertionError("U1 bounds differ from the bounds of the records");
    }
  }
}
