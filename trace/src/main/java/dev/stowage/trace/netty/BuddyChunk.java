package dev.stowage.trace.netty;

import java.util.Optional;

/** A chunk of buddies: it is halved until a part has the size of the buffer. */
final class BuddyChunk implements AdaptiveChunk {

  /*
   * A binary tree in an array: node 1 is the chunk, the halves of node i are 2i and 2i + 1, and the
   * leaves have LEAF_BYTES. A node is taken if a buffer has all of it, and split if buffers are in
   * its halves. A request takes the first free node of its size, from the left.
   */

  private static final int LEAF_BYTES = 32 << 10;

  private static final byte TAKEN = 1;
  private static final byte SPLIT = 2;

  private final NettyChunks chunks;
  private final NettyChunk memory;
  private final byte[] nodes;
  private int usedBytes;
  private boolean isRetired;
  private Runnable whenFreed = () -> {};

  BuddyChunk(NettyChunks chunks, NettyChunk memory) {
    this.chunks = chunks;
    this.memory = memory;
    nodes = new byte[(int) (memory.bytes() / LEAF_BYTES) * 2];
  }

  @Override
  public Optional<NettyBuffer> take(int bytes) {
    if (bytes < LEAF_BYTES || Integer.bitCount(bytes) != 1) {
      return Optional.empty();
    }
    int node = takeFirst(1, (int) memory.bytes(), bytes);
    if (node == 0) {
      return Optional.empty();
    }
    usedBytes += bytes;
    return Optional.of(
        new NettyBuffer(memory, offset(node, bytes), bytes, _ -> release(node, bytes)));
  }

  /** {@return the first free node of a size at or below a node; 0 if there is none} */
  private int takeFirst(int node, int nodeBytes, int bytes) {
    if (nodeBytes < bytes || nodes[node] == TAKEN) {
      return 0;
    }
    if (nodeBytes == bytes) {
      if (nodes[node] == SPLIT) {
        return 0;
      }
      nodes[node] = TAKEN;
      return node;
    }
    int found = takeFirst(2 * node, nodeBytes / 2, bytes);
    if (found == 0) {
      found = takeFirst(2 * node + 1, nodeBytes / 2, bytes);
    }
    if (found != 0) {
      nodes[node] = SPLIT;
    }
    return found;
  }

  private static int offset(int node, int bytes) {
    return (node - Integer.highestOneBit(node)) * bytes;
  }

  private void release(int node, int bytes) {
    usedBytes -= bytes;
    nodes[node] = 0;
    for (int parent = node / 2;
        parent > 0 && nodes[2 * parent] == 0 && nodes[2 * parent + 1] == 0;
        parent /= 2) {
      nodes[parent] = 0;
    }
    whenFreed.run();
    removeIfUnused();
  }

  private void removeIfUnused() {
    if (isRetired && isUnused()) {
      chunks.remove(memory);
    }
  }

  boolean isUnused() {
    return usedBytes == 0;
  }

  /** Sets an action to run after each buffer that is freed, in the place of the one before. */
  void onFree(Runnable action) {
    whenFreed = action;
  }

  @Override
  public int remainingBytes() {
    return (int) memory.bytes() - usedBytes;
  }

  @Override
  public void retire() {
    isRetired = true;
    removeIfUnused();
  }
}
