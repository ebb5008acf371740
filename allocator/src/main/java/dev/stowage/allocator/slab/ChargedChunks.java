package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.BfcOutOfMemoryException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The chunks of a {@link SlabAllocator} that are charged to a budget. Slots are not charged, so
 * that each request of a budget gets a chunk.
 */
public final class ChargedChunks {

  private final SlabAllocator slabs;
  private final AllocationBudget budget;

  /**
   * Creates chunks of a budget.
   *
   * @param slabs the slots and chunks of an allocator
   * @param budget a budget of the same allocator
   */
  public ChargedChunks(SlabAllocator slabs, AllocationBudget budget) {
    this.slabs = slabs;
    this.budget = budget;
  }

  /**
   * {@return the address of a new chunk, which the caller adds to a group or frees}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two
   * @throws BfcOutOfMemoryException if the budget or the allocator has no room
   */
  public long allocate(long bytes, long alignment) {
    OptionalLong address = slabs.tryOrReturnSlabs(Optional.of(budget), bytes, alignment);
    return address.isPresent() ? address.getAsLong() : budget.allocate(bytes, alignment);
  }

  /**
   * {@return the address of a new chunk, which the caller adds to a group or frees; empty if the
   * budget or the allocator has no room}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two
   */
  public OptionalLong tryAllocate(long bytes, long alignment) {
    OptionalLong address = slabs.tryOrReturnSlabs(Optional.of(budget), bytes, alignment);
    return address.isPresent() ? address : budget.tryAllocate(bytes, alignment);
  }

  /**
   * {@return the address of a new chunk, which the caller adds to a group or frees, waiting for
   * frees if the budget or the allocator has no room}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two
   * @param timeout the longest time to wait
   * @throws BfcOutOfMemoryException if there is no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public long allocateOrWait(long bytes, long alignment, Duration timeout)
      throws InterruptedException {
    slabs.beginWait();
    try {
      OptionalLong address = slabs.tryOrReturnSlabs(Optional.of(budget), bytes, alignment);
      return address.isPresent()
          ? address.getAsLong()
          : budget.allocateOrWait(bytes, alignment, timeout);
    } finally {
      slabs.endWait();
    }
  }
}
