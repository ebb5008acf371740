package dev.stowage.stress;

import dev.stowage.allocator.SubAllocator;
import java.util.OptionalLong;

/** Addresses from 0 without memory: one region at a time; its end can move. */
final class AddressRange implements SubAllocator {

  @Override
  public OptionalLong allocate(long bytes) {
    return OptionalLong.of(0);
  }

  @Override
  public void free(long address, long bytes) {}

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    return true;
  }
}
