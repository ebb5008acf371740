package dev.stowage.netty;

import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.pool.CountedBlock;
import dev.stowage.memory.pool.MemoryPool;

/**
 * The blocks of direct buffers.
 *
 * @param pool the memory of the blocks
 */
record PoolBlocks(MemoryPool pool) {

  /**
   * {@return a new block, which any thread may release}
   *
   * @throws OutOfMemoryError if the pool has no room
   */
  CountedBlock allocate(int bytes) {
    try {
      return pool.allocateCounted(bytes);
    } catch (BfcOutOfMemoryException noRoom) {
      OutOfMemoryError error = new OutOfMemoryError(noRoom.getMessage());
      error.initCause(noRoom);
      throw error;
    }
  }
}
