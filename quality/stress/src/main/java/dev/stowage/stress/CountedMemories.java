package dev.stowage.stress;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.CountedBlock;
import dev.stowage.memory.pool.MemoryPool;

/** Counted blocks of one pool. The methods return numbers for jcstress. */
final class CountedMemories {

  /** The block has no references. */
  static final int RELEASED = -1;

  /** The pool of all blocks; a pool for each race would take most of the time. */
  private static final MemoryPool POOL =
      MemoryPool.open("counted", HostMemory.open(), BfcOptions.growing());

  private CountedMemories() {}

  /** {@return a new block with one reference} */
  static CountedBlock allocate() {
    return POOL.allocateCounted(64);
  }

  /** {@return 1 if this was the last reference, 0 if not, or {@link #RELEASED}} */
  static int release(CountedBlock block) {
    try {
      return block.release() ? 1 : 0;
    } catch (IllegalStateException _) {
      return RELEASED;
    }
  }

  /** {@return the bytes of the segment, or {@link #RELEASED}} */
  static int bytes(CountedBlock block) {
    try {
      return (int) block.segment().byteSize();
    } catch (IllegalStateException _) {
      return RELEASED;
    }
  }
}
