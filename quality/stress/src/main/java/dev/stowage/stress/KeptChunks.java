package dev.stowage.stress;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.slab.AllocationGroup;
import dev.stowage.allocator.slab.SlabAllocator;
import java.util.OptionalLong;

/**
 * Groups of a pool with room for two chunks; the pool keeps one. The methods return numbers for
 * jcstress.
 */
final class KeptChunks {

  /** A broken invariant. */
  static final int BROKEN = -9;

  private static final long BYTES = 8192;

  private final BfcAllocator allocator =
      new BfcAllocator("kept", new OneRegion(), BfcOptions.oneRegion(2 * BYTES));
  private final SlabAllocator slabs = SlabAllocator.withSlabs(allocator, (_, _) -> {});

  /** A region without memory, not at 0, where no group has a chunk. */
  private static final class OneRegion implements SubAllocator {
    @Override
    public OptionalLong allocate(long bytes) {
      return OptionalLong.of(BYTES);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  /** A group with one chunk. */
  private static final class Group extends AllocationGroup {}

  /** Creates a pool that keeps a free chunk. */
  KeptChunks() {
    allocateAndEnd();
  }

  /** Allocates a chunk in a new group, which then ends, and {@return 1 if there was room} */
  int allocateAndEnd() {
    Group group = new Group();
    if (group.takeSlot(slabs, BYTES, 1) == SlabAllocator.NONE) {
      try {
        group.addChunk(slabs, allocator.allocate(BYTES));
      } catch (BfcOutOfMemoryException _) {
        group.tryEnd(slabs);
        return 0;
      }
    }
    if (!group.tryEnd(slabs)) {
      group.freeChunks(allocator::free);
      group.tryEnd(slabs);
    }
    return 1;
  }

  /** Waits for all memory and frees it, and {@return 1} */
  int awaitAll() {
    slabs.beginWait();
    try {
      allocator.free(allocator.allocateOrWait(2 * BYTES, 1, ContendedAllocator.FOREVER));
      return 1;
    } catch (InterruptedException _) {
      return ContendedAllocator.INTERRUPTED;
    } finally {
      slabs.endWait();
    }
  }

  /** {@return the chunks that the statistics count} */
  int chunksInUse() {
    return (int) allocator.statistics().chunksInUse();
  }

  /** {@return the number of chunks in use, or {@link #BROKEN}} */
  int checkedChunksInUse() {
    try {
      slabs.checkInvariants();
    } catch (AssertionError _) {
      return BROKEN;
    }
    return allocator.statistics().bytesInUse() == 0 ? chunksInUse() : BROKEN;
  }
}
