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
    if (address.isPresent()) {
      tellAdded(address.getAsLong(), bytes, () -> visited.free(address.getAsLong(), bytes));
    }
    return address;
  }

  @Override
  public void free(long address, long bytes) {
    try {
      visitor.removed(address, bytes);
    } finally {
      visited.free(address, bytes);
    }
  }

  /** Undoes what the visitor does not want to have seen: it throws, and nobody gets the memory. */
  private void tellAdded(long address, long bytes, Runnable undo) {
    boolean told = false;
    try {
      visitor.added(address, bytes);
      told = true;
    } finally {
      if (!told) {
        undo.run();
      }
    }
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
      tellAdded(address + bytes, newBytes - bytes, () -> visited.resize(address, newBytes, bytes));
    }
    return resized;
  }

  @Override
  public long granularityBytes() {
    return visited.granularityBytes();
  }
}
