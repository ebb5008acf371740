package dev.stowage.bench;

import dev.stowage.core.bfc.SubAllocator;
import java.util.OptionalLong;

/** Regions that are addresses alone, one behind the other: what a device is to an allocator. */
final class CountedAddresses implements SubAllocator {

  private long end;

  @Override
  public OptionalLong allocate(long bytes) {
    if (bytes > Long.MAX_VALUE - end) {
      return OptionalLong.empty();
    }
    long start = end;
    end += bytes;
    return OptionalLong.of(start);
  }

  @Override
  public void free(long address, long bytes) {}
}
