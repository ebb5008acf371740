package dev.stowage.trace.netty;

import java.util.Optional;

/** A chunk of equal segments, one for each buffer. */
final class SegmentChunk implements AdaptiveChunk {

  /*
   * A chunk of one thread does not find all of its free segments: while it is not in a magazine, it
   * counts those that it knew when it left the magazine, and those that its own thread freed. Thus a
   * chunk whose buffers other threads free stays unused until a purge. So it is in Netty 4.2.20.
   */

  /** The owner of a chunk of all threads. */
  static final long NO_THREAD = -1;

  private final NettyChunks chunks;
  private final NettyChunk memory;
  private final int segmentBytes;
  private final long owner;

  /** The offsets of the free segments, the next one last. */
  private final int[] free;

  private int freeCount;

  /** The segments of {@link #free} that other threads than the owner freed. */
  private int freedByOthers;

  /** The free segments that the chunk knew last. */
  private int knownFree;

  private boolean isRetired;

  /** The number of purges that found the chunk without a buffer, since it was last used. */
  int idlePurges;

  /**
   * @param owner the thread that alone allocates from the chunk, or {@link #NO_THREAD}
   */
  SegmentChunk(NettyChunks chunks, NettyChunk memory, int segmentBytes, long owner) {
    this.chunks = chunks;
    this.memory = memory;
    this.segmentBytes = segmentBytes;
    this.owner = owner;
    freeCount = (int) (memory.bytes() / segmentBytes);
    knownFree = freeCount;
    free = new int[freeCount];
    for (int i = 0; i < freeCount; i++) {
      free[i] = (freeCount - 1 - i) * segmentBytes;
    }
  }

  @Override
  public Optional<NettyBuffer> take(int bytes) {
    if (freeCount == 0) {
      return Optional.empty();
    }
    knownFree--;
    // The segments that the owner freed are taken first.
    freedByOthers = Math.min(freedByOthers, freeCount - 1);
    int offset = free[--freeCount];
    return Optional.of(
        new NettyBuffer(memory, offset, segmentBytes, thread -> release(offset, thread)));
  }

  private void release(int offset, long thread) {
    free[freeCount++] = offset;
    if (owner != NO_THREAD && thread != owner) {
      freedByOthers++;
    }
    removeIfUnused();
  }

  private void removeIfUnused() {
    if (isRetired && isUnused()) {
      chunks.remove(memory);
    }
  }

  /** {@return true if a chunk that no magazine holds knows a free segment} */
  boolean hasFree() {
    return knownFree > 0 || freeCount > freedByOthers;
  }

  /** {@return true if no buffer is in the chunk} */
  boolean isUnused() {
    return freeCount == free.length;
  }

  @Override
  public int remainingBytes() {
    if (knownFree <= 1) {
      knownFree = freeCount;
    }
    return knownFree * segmentBytes;
  }

  @Override
  public void retire() {
    isRetired = true;
    removeIfUnused();
  }
}
