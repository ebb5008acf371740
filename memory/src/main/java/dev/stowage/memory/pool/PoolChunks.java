package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.AllocationSource;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.Failures;
import dev.stowage.allocator.slab.AllocationGroup;
import dev.stowage.allocator.slab.SlabAllocator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** The chunks of a pool and their contents. Safe for use by many threads. */
final class PoolChunks {

  private final String poolName;
  private final BfcAllocator allocator;
  private final SlabAllocator slabs;
  private final boolean zeroing;
  private final boolean isDebugging;
  private final Optional<FreedMemory> freed;

  /** The record of fresh memory, which is zero already; empty in debug mode. */
  private final Optional<FreshMemory> fresh;

  /** The budget that is charged for chunks. */
  private final Optional<AllocationBudget> charged;

  PoolChunks(String poolName, SubAllocator regions, BfcOptions options, PoolOptions pool) {
    this.poolName = poolName;
    this.zeroing = pool.isZeroing();
    this.isDebugging = pool.isDebugging();
    this.freed = pool.isDebugging() ? Optional.of(new FreedMemory(poolName)) : Optional.empty();
    this.fresh = Optional.of(new FreshMemory(regions)).filter(_ -> zeroing && freed.isEmpty());
    SubAllocator checked =
        freed
            .<SubAllocator>map(watch -> new CheckedRegions(regions, watch))
            .or(() -> fresh)
            .orElse(regions);
    this.allocator =
        pool.listener()
            .map(listener -> new BfcAllocator(poolName, checked, options, listener))
            .orElseGet(() -> new BfcAllocator(poolName, checked, options));
    AllocatorInternals.of(allocator).becomePool();
    this.slabs =
        freed.isPresent()
            ? SlabAllocator.withoutSlabs(allocator)
            : SlabAllocator.withSlabs(allocator, usesOf(fresh));
    this.charged = Optional.empty();
  }

  private static BiConsumer<Long, Long> usesOf(Optional<FreshMemory> fresh) {
    return (address, bytes) -> fresh.ifPresent(memory -> memory.use(address, bytes));
  }

  /** The chunks of a private pool. */
  private PoolChunks(PoolChunks above, BfcAllocator allocator) {
    this.poolName = allocator.name();
    this.allocator = allocator;
    AllocatorInternals.of(allocator).becomePool();
    this.zeroing = above.zeroing;
    this.isDebugging = above.isDebugging;
    this.freed = above.freed.map(watch -> watch.openPrivate(poolName));
    this.fresh = above.fresh;
    this.slabs =
        freed.isPresent()
            ? SlabAllocator.withoutSlabs(allocator)
            : SlabAllocator.withSlabs(allocator, above.slabs);
    this.charged = Optional.empty();
  }

  /** {@return the chunks of a new private pool, in regions of their own} */
  PoolChunks openPrivatePool(UnaryOperator<BfcAllocator> opening) {
    return new PoolChunks(this, opening.apply(allocator));
  }

  private PoolChunks(PoolChunks source, AllocationBudget budget) {
    poolName = source.poolName;
    allocator = source.allocator;
    slabs = source.slabs;
    zeroing = source.zeroing;
    isDebugging = source.isDebugging;
    freed = source.freed;
    fresh = source.fresh;
    charged = Optional.of(budget);
  }

  /** {@return the same chunks; new ones are charged to a budget} */
  PoolChunks chargedTo(AllocationBudget budget) {
    return new PoolChunks(this, budget);
  }

  /** {@return the name in messages} */
  String poolName() {
    return poolName;
  }

  BfcAllocator allocator() {
    return allocator;
  }

  /** {@return the small and large memory of the arenas} */
  SlabAllocator slabs() {
    return slabs;
  }

  boolean isDebugging() {
    return isDebugging;
  }

  /** {@return the freed memory, in debug mode} */
  Optional<FreedMemory> freed() {
    return freed;
  }

  /**
   * {@return the address of new memory for at least one byte, which belongs to the group; {@link
   * SlabAllocator#NONE} if the request finds no room}
   */
  <E extends Exception> long allocate(
      AllocationGroup group, long bytes, long alignment, ChunkRequest<E> request) throws E {
    long slot = takeSlot(group, bytes, alignment);
    return slot == SlabAllocator.NONE
        ? allocateChunk(group, bytes, alignment, request)
        : filled(slot, bytes);
  }

  /** {@return a slot or a kept chunk; {@link SlabAllocator#NONE} if the request needs a new one} */
  private long takeSlot(AllocationGroup group, long bytes, long alignment) {
    if (charged.isPresent()) {
      group.register(slabs);
      return SlabAllocator.NONE;
    }
    return group.takeSlot(slabs, bytes, alignment);
  }

  /** Fills a slot or a kept chunk, and {@return its address} */
  private long filled(long address, long bytes) {
    if (!SlabAllocator.isSlot(bytes)) {
      return filledChunk(address, bytes);
    }
    if (zeroing) {
      Filling.fill(address, bytes, (byte) 0);
    }
    return address;
  }

  private long filledChunk(long address, long bytes) {
    if (fresh.isPresent()) {
      long usedBytes = fresh.get().use(address, bytes);
      if (usedBytes > 0) {
        Filling.fill(address, usedBytes, (byte) 0);
      }
    } else if (isDebugging) {
      Filling.fill(address, bytes, zeroing ? 0 : FreedMemory.FRESH);
    }
    return address;
  }

  private <E extends Exception> long allocateChunk(
      AllocationGroup group, long bytes, long alignment, ChunkRequest<E> request) throws E {
    AllocationSource source = charged.isPresent() ? charged.get() : allocator;
    long chunkBytes = isDebugging ? SlackBytes.addTo(bytes) : bytes;
    OptionalLong address = request.find(source, chunkBytes, alignment);
    return address.isPresent() ? add(group, address.getAsLong(), bytes) : SlabAllocator.NONE;
  }

  /** Adds a new chunk to a group, fills it, and {@return its address} */
  private long add(AllocationGroup group, long address, long bytes) {
    if (freed.isPresent()) {
      checkReusedMemory(freed.get(), address, bytes);
    }
    try {
      group.addChunk(slabs, address);
    } catch (OutOfMemoryError noRoom) {
      free(address);
      throw noRoom;
    }
    return filledChunk(address, bytes);
  }

  private void checkReusedMemory(FreedMemory watch, long address, long bytes) {
    watch.use(allocator.allocation(address).orElseThrow(), bytes);
    try {
      watch.throwFindings();
    } catch (IllegalStateException written) {
      free(address);
      throw written;
    }
  }

  /**
   * Frees all memory of a group, the latest chunk first, and ends the group.
   *
   * <p>Throws the first failure of the listener or the device after the last chunk.
   */
  void freeAll(AllocationGroup group) {
    if (group.tryEnd(slabs)) {
      return;
    }
    Failures failures = new Failures();
    try {
      group.freeChunks(address -> failures.attempt(() -> free(address)));
    } finally {
      failures.attempt(() -> group.tryEnd(slabs));
    }
    freed.ifPresent(watch -> failures.attempt(watch::throwFindings));
    failures.throwFirst();
  }

  /** Frees a chunk. */
  private void free(long address) {
    if (freed.isPresent()) {
      freed.get().free(allocator.allocation(address).orElseThrow());
    }
    allocator.free(address);
  }

  /** Checks the invariants of the allocator and the freed memory. */
  void checkInvariants() {
    slabs.checkInvariants();
    freed.ifPresent(watch -> watch.checkInvariants(allocator));
    fresh.ifPresent(memory ->
        allocator
            .allocations()
            .forEach(each -> memory.checkUsed(each.address(), each.requestedBytes())));
  }
}
