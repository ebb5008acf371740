package dev.stowage.core.bfc;

import java.util.OptionalLong;

/** A sub-allocator and someone who sees what comes from it and goes back. */
final class VisitedSubAllocator implements SubAllocator {

  private final SubAllocator visited;
  private final RegionVisitor visitor;

  VisitedSubAllocator(SubAllocator visited, RegionVisitor visitor) {
    this.visited = visited;
    this.visitor = visitor;
  }

  @Override
  public OptionalLong allocate(long bytes) {
    OptionalLong address = visited.allocate(bytes);
    address.ifPresent(start -> visitor.added(start, bytes));
    return address;
  }

  @Override
  public void free(long address, long bytes) {
    visitor.removed(address, bytes);
    visited.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (newBytes < bytes) {
      visitor.removed(address + newBytes, bytes - newBytes);
      boolean resized = visited.resize(address, bytes, newBytes);
      if (!resized) {
        visitor.added(address + newBytes, bytes - newBytes);
      }
      return resized;
    }
    boolean resized = visited.resize(address, bytes, newBytes);
    if (resized) {
      visitor.added(address + bytes, newBytes - bytes);
    }
    return resized;
  }

  @Override
  public long granularityBytes() {
    return visited.granularityBytes();
  }
}
