package dev.stowage.testkit;

import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;
import java.util.OptionalLong;

/** A sub-allocator that counts the calls of another one. */
final class CountedCalls extends ForwardingSubAllocator {

  private int count;

  CountedCalls(SubAllocator counted) {
    super(counted);
  }

  int count() {
    return count;
  }

  @Override
  public OptionalLong allocate(long bytes) {
    count++;
    return super.allocate(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    count++;
    super.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    count++;
    return super.resize(address, bytes, newBytes);
  }
}
