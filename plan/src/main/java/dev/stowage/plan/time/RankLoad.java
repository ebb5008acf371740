package dev.stowage.plan.time;

import dev.stowage.plan.text.Message;

/** A number of bytes for each rank, such as the live bytes, with the largest one. */
public final class RankLoad {

  /*
   * The ranks lie in blocks. A binary tree over the blocks has their maximums. An addition to all
   * ranks below a node is kept in the node. Adding and searching cost O(log r) for r ranks.
   *
   *   L1  The maximum of a node is the largest maximum of its children, or of its block, plus the
   *       addition of the node.
   */

  private static final int BLOCK_SHIFT = 5;
  private static final int BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;

  /** The bytes of each rank, without the additions to nodes. */
  private final long[] bytes;

  private final int leafCount;

  /** The largest number of bytes below each node, without the additions to its ancestors. */
  private final long[] maximums;

  /** The additions to all ranks below each node. */
  private final long[] added;

  private int heaviest;
  private long heaviestBytes;

  /**
   * Creates a load.
   *
   * @param bytes the load of each rank; this object changes the array
   */
  public RankLoad(long[] bytes) {
    this.bytes = bytes;
    int blocks = Math.max(1, (bytes.length + BLOCK_MASK) >> BLOCK_SHIFT);
    leafCount = blocks == 1 ? 1 : 2 * Integer.highestOneBit(blocks - 1);
    maximums = new long[2 * leafCount];
    added = new long[2 * leafCount];
    for (int block = 0; block < leafCount; block++) {
      bound(block);
    }
    for (int node = leafCount - 1; node > 0; node--) {
      maximums[node] = Math.max(maximums[2 * node], maximums[2 * node + 1]);
    }
  }

  private void bound(int block) {
    maximums[leafCount + block] = maximumOfBlock(block) + added[leafCount + block];
  }

  private long maximumOfBlock(int block) {
    long maximum = 0;
    int end = Math.min(bytes.length, (block + 1) << BLOCK_SHIFT);
    for (int rank = block << BLOCK_SHIFT; rank < end; rank++) {
      // The first rank may be below zero: additions to nodes may make up for it.
      maximum = rank == block << BLOCK_SHIFT ? bytes[rank] : Math.max(maximum, bytes[rank]);
    }
    return maximum;
  }

  /** {@return the largest load of a rank; 0 without ranks} */
  public long maximum() {
    return maximums[1];
  }

  /** Adds bytes, which may be negative, to the ranks {@code first} to {@code last}. */
  public void add(int first, int last, long count) {
    int firstBlock = first >> BLOCK_SHIFT;
    int lastBlock = last >> BLOCK_SHIFT;
    if (firstBlock == lastBlock) {
      addInBlock(firstBlock, first, last, count);
      refresh(firstBlock);
      return;
    }
    addInBlock(firstBlock, first, firstBlock << BLOCK_SHIFT | BLOCK_MASK, count);
    addInBlock(lastBlock, lastBlock << BLOCK_SHIFT, last, count);
    int low = leafCount + firstBlock + 1;
    int high = leafCount + lastBlock - 1;
    for (; low <= high; low >>= 1, high >>= 1) {
      if ((low & 1) == 1) {
        addToNode(low++, count);
      }
      if ((high & 1) == 0) {
        addToNode(high--, count);
      }
    }
    refresh(firstBlock);
    refresh(lastBlock);
    if (lastBlock - firstBlock > 1) {
      refresh(firstBlock + 1);
      refresh(lastBlock - 1);
    }
  }

  private void addInBlock(int block, int first, int last, long count) {
    for (int rank = first; rank <= last; rank++) {
      bytes[rank] += count;
    }
    bound(block);
  }

  private void addToNode(int node, long count) {
    maximums[node] += count;
    added[node] += count;
  }

  private void refresh(int block) {
    for (int node = (leafCount + block) >> 1; node > 0; node >>= 1) {
      maximums[node] = Math.max(maximums[2 * node], maximums[2 * node + 1]) + added[node];
    }
  }

  /** {@return the first rank of the largest load from {@code first} to {@code last}} */
  public int heaviest(int first, int last) {
    heaviest = first;
    heaviestBytes = Long.MIN_VALUE;
    search(1, 0, leafCount - 1, 0, first, last);
    return heaviest;
  }

  /** {@return the load of the rank that {@link #heaviest} returned last} */
  public long heaviestBytes() {
    return heaviestBytes;
  }

  private void search(int node, int firstBlock, int lastBlock, long above, int first, int last) {
    if (firstBlock << BLOCK_SHIFT > last
        || (lastBlock << BLOCK_SHIFT | BLOCK_MASK) < first
        || maximums[node] + above <= heaviestBytes) {
      return;
    }
    long sum = above + added[node];
    if (node >= leafCount) {
      int from = Math.max(first, firstBlock << BLOCK_SHIFT);
      int to = Math.min(Math.min(last, firstBlock << BLOCK_SHIFT | BLOCK_MASK), bytes.length - 1);
      for (int rank = from; rank <= to; rank++) {
        if (bytes[rank] + sum > heaviestBytes) {
          heaviest = rank;
          heaviestBytes = bytes[rank] + sum;
        }
      }
      return;
    }
    int middle = (firstBlock + lastBlock) >>> 1;
    if (maximums[2 * node] >= maximums[2 * node + 1]) {
      search(2 * node, firstBlock, middle, sum, first, last);
      search(2 * node + 1, middle + 1, lastBlock, sum, first, last);
    } else {
      search(2 * node + 1, middle + 1, lastBlock, sum, first, last);
      search(2 * node, firstBlock, middle, sum, first, last);
    }
  }

  /**
   * Checks L1.
   *
   * @throws AssertionError if it does not hold
   */
  public void checkInvariants() {
    for (int node = 1; node < maximums.length; node++) {
      long below =
          node < leafCount
              ? Math.max(maximums[2 * node], maximums[2 * node + 1])
              : maximumOfBlock(node - leafCount);
      if (maximums[node] != below + added[node]) {
        throw new AssertionError(Message.of("L1 maximum of node %d: %d", node, maximums[node]));
      }
    }
  }
}
