package dev.stowage.core.bfc;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** A sub-allocator with a visitor. */
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
      notifyAdded(address.getAsLong(), bytes, () -> visited.free(address.getAsLong(), bytes));
    }
    return address;
  }

  @Override
  public void free(long address, long bytes) {
    notifyRemoved(
        address,
        bytes,
        () -> {
          visited.free(address, bytes);
          return true;
        });
  }

  /**
   * Notifies the visitor, returns memory, and notifies the visitor again if the memory was not
   * accepted.
   */
  private boolean notifyRemoved(long address, long bytes, BooleanSupplier takeAway) {
    visitor.removed(address, bytes);
    boolean taken = false;
    try {
      taken = takeAway.getAsBoolean();
    } finally {
      if (!taken) {
        visitor.added(address, bytes);
      }
    }
    return taken;
  }

  /**
   * Notifies the visitor; if it throws, returns the memory, so that the allocator does not get it.
   */
  private void notifyAdded(long address, long bytes, Runnable undo) {
    boolean notified = false;
    try {
      visitor.added(address, bytes);
      notified = true;
    } finally {
      if (!notified) {
        undo.run();
      }
    }
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (newBytes < bytes) {
      return notifyRemoved(
          address + newBytes, bytes - newBytes, () -> visited.resize(address, bytes, newBytes));
    }
    boolean resized = visited.resize(address, bytes, newBytes);
    if (resized) {
      notifyAdded(
          address + bytes, newBytes - bytes, () -> visited.resize(address, newBytes, bytes));
    }
    return resized;
  }

  @Override
  public boolean canLengthen() {
    return visited.canLengthen();
  }

  @Override
  public long granularityBytes() {
    return visited.granularityBytes();
  }

  @Override
  public long alignmentBytes() {
    return visited.alignmentBytes();
  }
}
