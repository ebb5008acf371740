package dev.stowage.memory.pool;

import dev.stowage.core.bfc.SubAllocator;
import java.util.OptionalLong;

/** Regions of a pool in debug mode: freed memory is checked before it leaves the pool. */
record CheckedRegions(SubAllocator regions, FreedMemory freed) implements SubAllocator {

  @Override
  public OptionalLong allocate(long bytes) {
    return regions.allocate(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    freed.checkAndRemove(address, bytes);
    regions.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (newBytes < bytes) {
      freed.checkAndRemove(address + newBytes, bytes - newBytes);
    }
    return regions.resize(address, bytes, newBytes);
  }

  @Override
  public boolean canLengthen() {
    return regions.canLengthen();
  }

  @Override
  public long granularityBytes() {
    return regions.granularityBytes();
  }

  @Override
  public long alignmentBytes() {
    return regions.alignmentBytes();
  }
}
