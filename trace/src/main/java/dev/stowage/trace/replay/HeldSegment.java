package dev.stowage.trace.replay;

import java.util.List;

/**
 * A segment that PyTorch's allocator holds before the first event of a replay.
 *
 * @param address the address
 * @param bytes the bytes
 * @param stream the stream of its blocks
 * @param pool the memory pool
 * @param isSmall true if it is for requests of up to 1 MiB
 * @param isExpandable true if the bytes are a mapped range of an expandable segment
 * @param blocks the blocks in use, by ascending address
 */
record HeldSegment(
    long address,
    long bytes,
    long stream,
    long pool,
    boolean isSmall,
    boolean isExpandable,
    List<HeldBlock> blocks) {

  HeldSegment {
    blocks = List.copyOf(blocks);
  }

  /**
   * A block in use.
   *
   * @param address the address
   * @param bytes the bytes that it occupies
   * @param requestedBytes the bytes of the request
   */
  record HeldBlock(long address, long bytes, long requestedBytes) {}
}
