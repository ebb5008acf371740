package dev.stowage.bench;

/**
 * An allocator with a slot for each block, so that the benchmarks need no addresses.
 *
 * <p>No code accesses the memory. Threads may call concurrently, each with its own slots.
 */
interface PeerAllocator {

  /**
   * Allocates a block.
   *
   * @param slot the slot of the block, which must be empty
   * @param bytes the size of the block
   * @throws OutOfMemoryError if the allocation fails
   */
  void allocate(int slot, long bytes);

  /**
   * Frees a block, in the thread that allocated it.
   *
   * @param slot the slot of the block
   */
  void free(int slot);
}
