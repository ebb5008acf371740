package dev.stowage.bench;

import dev.stowage.allocator.SubAllocator;
import java.util.OptionalLong;

/** Regions of consecutive addresses without memory. */
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
