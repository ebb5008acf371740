package dev.stowage.allocator;

import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.RestoredChunk;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheStripe;
import dev.stowage.allocator.stripe.CacheStripes;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

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
  public void reportSlots(SlotUse.Source source) {
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
  public CacheStripes useStripes(Function<Object, CacheStripe> newStripe) {
    return space.locked().cache().useStripes(newStripe);
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
