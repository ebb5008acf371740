package dev.stowage.bench;

/**
 * An allocator as the benchmarks call it: by slots, so that neither addresses nor handles pass
 * through the harness.
 *
 * <p>Memory is never touched. Threads may call at once, each with slots of its own.
 */
interface PeerAllocator {

  /**
   * Allocates.
   *
   * @param slot where the block is kept; holds none
   * @param bytes how many bytes
   * @throws OutOfMemoryError if there is no room
   */
  void allocate(int slot, long bytes);

  /**
   * Frees, in the thread that allocated.
   *
   * @param slot where the block is kept
   */
  void free(int slot);
}
