package dev.stowage.allocator;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The chunks of an allocator that its user divides into slots, and reports itself.
 *
 * <p>{@link BfcAllocator#allocations()} and {@link BfcAllocator#leaks()} do not include these
 * chunks. Reports have the holders of their slots, if the user {@linkplain #reportSlots reports}
 * them, and otherwise the tag {@code slabs}.
 */
public final class SlabChunks {

  private final GuardedSpace space;
  private final AllocatorEvents events;
  private final AllocatorLog log;
  private final boolean hasStacks;

  SlabChunks(GuardedSpace space, AllocatorEvents events, AllocatorLog log, boolean hasStacks) {
    this.space = space;
    this.events = events;
    this.log = log;
    this.hasStacks = hasStacks;
  }

  /**
   * Sets the source of slots for reports.
   *
   * @param source is called without a lock of the allocator, by threads that hold none of the user
   */
  public void reportSlots(Supplier<SlotUse> source) {
    events.setSlots(source);
  }

  /** {@return true if a listener, the history or a stack must get each request of a user} */
  public boolean isEachReported() {
    return events.isObserved() || hasStacks;
  }

  /** {@return true if Flight Recorder records each request now} */
  public boolean isEachRecorded() {
    return events.isEachRecorded();
  }

  /**
   * {@return the address of a new slab, or empty if there is no room}
   *
   * @param bytes the number of bytes
   */
  public OptionalLong tryAllocate(long bytes) {
    return tryAllocate(bytes, Quantum.BYTES, Origin.SLAB);
  }

  /**
   * {@return the address of new bytes for a user, or empty if there is no room}
   *
   * <p>An empty result is no failure: it has no event, and the caller tries again.
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   */
  public OptionalLong tryAllocate(long bytes, long alignment) {
    return tryAllocate(bytes, alignment, AllocationTag.currentOrigin(hasStacks));
  }

  private OptionalLong tryAllocate(long bytes, long alignment, Origin origin) {
    OptionalLong address = space.tryAllocateQuietly(bytes, alignment, origin);
    log.writeNotes();
    return address;
  }

  /**
   * {@return the first of some numbers of allocations, which slots may have from now on}
   *
   * @param count the number of them
   */
  public long reserveIds(int count) {
    return space.read(current -> current.reserveIds(count));
  }

  /**
   * {@return the statistics of the allocator, with slots in the place of slabs}
   *
   * @param slots the difference
   */
  public AllocatorStatistics statistics(SlotCounts slots) {
    return space.read(RegionSpace::statistics).plus(slots);
  }

  /**
   * {@return a slot in use, as an allocation}
   *
   * @param id its number
   * @param address its address
   * @param requestedBytes the bytes that the user requested
   * @param bytes the bytes of the slot
   * @param tag its path of tags
   */
  public static Allocation allocation(
      long id, long address, long requestedBytes, long bytes, String tag) {
    return new Allocation(id, address, requestedBytes, bytes, tag, List.of());
  }

  /** {@return the addresses of the slabs; costs O(chunks)} */
  public List<Long> slabAddresses() {
    return new SpaceReader(space.copy()).slabAddresses();
  }
}
