package dev.stowage.memory.pool;

import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;

/** Regions of a pool in debug mode: freed memory is checked before it leaves the pool. */
final class CheckedRegions extends ForwardingSubAllocator {

  private final FreedMemory freed;

  CheckedRegions(SubAllocator regions, FreedMemory freed) {
    super(regions);
    this.freed = freed;
  }

  @Override
  public void free(long address, long bytes) {
    freed.checkAndRemove(address, bytes);
    super.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (newBytes < bytes) {
      freed.checkAndRemove(address + newBytes, bytes - newBytes);
    }
    return super.resize(address, bytes, newBytes);
  }
}
