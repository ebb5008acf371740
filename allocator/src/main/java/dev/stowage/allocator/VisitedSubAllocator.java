package dev.stowage.allocator;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** A sub-allocator with a visitor. */
final class VisitedSubAllocator extends ForwardingSubAllocator {

  private final RegionVisitor visitor;

  VisitedSubAllocator(SubAllocator visited, RegionVisitor visitor) {
    super(visited);
    this.visitor = visitor;
  }

  @Override
  public OptionalLong allocate(long bytes) {
    OptionalLong address = super.allocate(bytes);
    if (address.isPresent()) {
      notifyAdded(address.getAsLong(), bytes, () -> super.free(address.getAsLong(), bytes));
    }
    return address;
  }

  @Override
  public void free(long address, long bytes) {
    notifyRemoved(
        address,
        bytes,
        () -> {
          super.free(address, bytes);
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
          address + newBytes, bytes - newBytes, () -> super.resize(address, bytes, newBytes));
    }
    boolean resized = super.resize(address, bytes, newBytes);
    if (resized) {
      notifyAdded(address + bytes, newBytes - bytes, () -> super.resize(address, newBytes, bytes));
    }
    return resized;
  }
}
