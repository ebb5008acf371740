package dev.stowage.testkit;

import dev.stowage.core.bfc.SubAllocator;
import java.util.OptionalLong;

/** A sub-allocator that counts the calls of another one. */
final class CountedCalls implements SubAllocator {

  private final SubAllocator counted;
  private int count;

  CountedCalls(SubAllocator counted) {
    this.counted = counted;
  }

  int count() {
    return count;
  }

  @Override
  public OptionalLong allocate(long bytes) {
    count++;
    return counted.allocate(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    count++;
    counted.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    count++;
    return counted.resize(address, bytes, newBytes);
  }

  @Override
  public boolean canLengthen() {
    return counted.canLengthen();
  }

  @Override
  public long granularityBytes() {
    return counted.granularityBytes();
  }

  @Override
  public long alignmentBytes() {
    return counted.alignmentBytes();
  }
}
