package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.SubAllocator;
import java.util.Optional;

/** The chunks of a pool and their contents. Safe for use by many threads. */
final class PoolChunks {

  private final String poolName;
  private final BfcAllocator allocator;
  private final boolean zeroing;
  private final Optional<FreedMemory> freed;

  PoolChunks(String poolName, SubAllocator regions, BfcOptions options, PoolOptions pool) {
    this.poolName = poolName;
    this.zeroing = pool.isZeroing();
    this.freed = pool.isDebugging() ? Optional.of(new FreedMemory(poolName)) : Optional.empty();
    SubAllocator checked =
        freed.<SubAllocator>map(watch -> new CheckedRegions(regions, watch)).orElse(regions);
    this.allocator =
        pool.listener()
            .map(listener -> new BfcAllocator(poolName, checked, options, listener))
            .orElseGet(() -> new BfcAllocator(poolName, checked, options));
  }

  /** {@return the name in messages} */
  String poolName() {
    return poolName;
  }

  BfcAllocator allocator() {
    return allocator;
  }

  /** {@return the freed memory, in debug mode} */
  Optional<FreedMemory> freed() {
    return freed;
  }

  /** {@return the address of a new chunk for at least one byte, which the caller has to free} */
  long allocate(long bytes, long alignment) {
    long address =
        allocator.allocate(freed.isPresent() ? FreedMemory.withSlack(bytes) : bytes, alignment);
    if (freed.isPresent()) {
      checkReusedMemory(freed.get(), address, bytes);
    }
    if (zeroing || freed.isPresent()) {
      Filling.fill(address, bytes, zeroing ? 0 : FreedMemory.FRESH);
    }
    return address;
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

  /** Frees a chunk. */
  void free(long address) {
    if (freed.isPresent()) {
      freed.get().free(allocator.allocation(address).orElseThrow());
    }
    allocator.free(address);
  }

  /** {@return the path of tags of the allocation at an address; empty if there is none} */
  String tag(long address) {
    return allocator.allocation(address).map(Allocation::tag).orElse("");
  }

  /** Checks the invariants of the allocator and the freed memory. */
  void checkInvariants() {
    allocator.checkInvariants();
    freed.ifPresent(watch -> watch.checkInvariants(allocator));
  }
}
