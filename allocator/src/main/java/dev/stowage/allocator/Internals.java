package dev.stowage.allocator;

import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.RestoredChunk;
import dev.stowage.allocator.internal.SlotCounts;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheStripes;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** The internals of an allocator for other modules of Stowage. */
final class Internals implements AllocatorInternals {

  private final GuardedSpace space;
  private final AllocatorEvents events;
  private final AllocatorLog log;
  private final boolean hasStacks;

  Internals(GuardedSpace space, AllocatorEvents events, AllocatorLog log, boolean hasStacks) {
    this.space = space;
    this.events = events;
    this.log = log;
    this.hasStacks = hasStacks;
  }

  @Override
  public void checkInvariants() {
    space.checkInvariants();
  }

  @Override
  public boolean isLockHeld() {
    return space.locked().lock().isHeld();
  }

  @Override
  public void becomePool() {
    space.locked().run(current -> current.supply().becomePool());
  }

  @Override
  public void reportSlots(Supplier<SlotUse> source) {
    events.setSlots(source);
  }

  @Override
  public boolean isEachReported() {
    return events.isObserved() || hasStacks;
  }

  @Override
  public boolean isEachRecorded() {
    return events.isEachRecorded();
  }

  @Override
  public CacheStripes stripes() {
    return space.locked().cache().stripes();
  }

  @Override
  public boolean turnOnCache() {
    space.locked().cache().turnOn();
    return space.locked().cache().isOn();
  }

  @Override
  public Object origin(AllocationTag tag) {
    return tag.origin();
  }

  @Override
  public OptionalLong tryAllocateSlab(long bytes) {
    OptionalLong address =
        space.tryAllocate(bytes, Quantum.BYTES, space.placement(), Origin.SLAB, false);
    log.writeNotes();
    return address;
  }

  @Override
  public long reserveIds(int count) {
    try (ShortLock _ = space.locked().lock().hold()) {
      return space.locked().space().reserveIds(count);
    }
  }

  @Override
  public AllocatorStatistics statistics(LongFunction<SlotCounts> slots) {
    AllocatorStatistics ofChunks = space.locked().read(RegionSpace::statistics);
    return ofChunks.plus(slots.apply(ofChunks.allocations()));
  }

  @Override
  public Allocation allocation(long id, long address, long requestedBytes, long bytes, String tag) {
    return new Allocation(id, address, requestedBytes, bytes, tag, List.of());
  }

  @Override
  public void restore(long bytes, List<RestoredChunk> chunks) {
    space.locked().run(current -> current.restore(bytes, chunks));
  }

  @Override
  public void lengthen(long bytes) {
    space.locked().run(current -> current.lengthen(bytes));
  }

  @Override
  public OptionalLong tryAllocate(long bytes, long alignment, XlaSpace from) {
    return space.tryAllocate(bytes, alignment, rule(from), Origin.NONE, false);
  }

  @Override
  public long allocate(long bytes, long alignment, XlaSpace from) {
    return space.allocate(bytes, alignment, rule(from), Origin.NONE);
  }

  private static PlacementRule rule(XlaSpace from) {
    return TwoEnds.ofSpace(
        from.isHighEnd() ? TwoEndedChunks.End.HIGH : TwoEndedChunks.End.LOW, from.splitsExactly());
  }

  @Override
  public List<Long> slabAddresses() {
    try (ShortLock _ = space.locked().lock().hold()) {
      return new SpaceReader(space.locked().space()).slabAddresses();
    }
  }
}
