package dev.stowage.allocator;

import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * A region of an allocator with all its chunks.
 *
 * @param address its address
 * @param bytes its size
 * @param chunks the chunks, which tile the region, by ascending address
 */
public record RegionChunks(long address, long bytes, List<Chunk> chunks) {

  /** Creates a region. */
  public RegionChunks {
    chunks = List.copyOf(chunks);
  }

  /**
   * A chunk of a region.
   *
   * @param address its address
   * @param bytes its size
   * @param allocation the allocation in use; empty if the chunk is free
   * @param isPendingFree true if the allocation was freed, but queued work may still use it
   * @param slots the slots of the chunk, if a pool divides it for small allocations
   */
  public record Chunk(
      long address,
      long bytes,
      Optional<Allocation> allocation,
      boolean isPendingFree,
      Optional<Slots> slots) {

    private Chunk pendingIf(LongPredicate isPending) {
      return allocation.isPresent() && isPending.test(address)
          ? new Chunk(address, bytes, allocation, true, slots)
          : this;
    }
  }

  /**
   * The slots of a chunk.
   *
   * @param slotBytes the size of each of them
   * @param count the number of slots
   * @param inUse the number of slots in use; the others are free
   * @param requestedBytes the requested bytes of the slots in use
   */
  public record Slots(long slotBytes, int count, int inUse, long requestedBytes) {}

  /**
   * {@return this region with marks at freed chunks that queued work may still use}
   *
   * @param isPending true for the address of an allocation that was freed
   */
  public RegionChunks withPendingFrees(LongPredicate isPending) {
    return new RegionChunks(
        address, bytes, chunks.stream().map(chunk -> chunk.pendingIf(isPending)).toList());
  }
}
