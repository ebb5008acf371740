package dev.stowage.allocator;

import dev.stowage.allocator.internal.SlotUse;
import java.util.Optional;

/** The sink of an allocator's events: JDK Flight Recorder, the log and the listener. */
final class AllocatorEvents implements RegionVisitor {

  private final String allocator;
  private final AllocationListener listener;
  private final AllocatorLog log;
  private final Callbacks callbacks;

  /** False if Flight Recorder must not get the events of this allocator. */
  private final boolean isRecorded;

  /** The slots of slabs, if a pool divides chunks. */
  private volatile SlotUse.Source slots = _ -> SlotUse.NONE;

  /** True if there is a listener, which receives each allocation and free. */
  private final boolean isObserved;

  AllocatorEvents(
      String allocator,
      Optional<AllocationListener> listener,
      BfcOptions options,
      boolean isRecorded,
      AllocatorLog log,
      Callbacks callbacks) {
    this.allocator = allocator;
    this.listener = listener.orElse(AllocationListener.none());
    this.isRecorded = isRecorded;
    this.log = log;
    this.callbacks = callbacks;
    isObserved = listener.isPresent();
    if (options.frontCacheBytes() > 0) {
      this.listener.unrepeatable(
          "The recorder turned the front cache off: other runs have other addresses.");
    }
  }

  /** {@return true if Flight Recorder may record events of this allocator} */
  boolean mayBeRecorded() {
    return JfrEvents.mayBeRecorded() && isRecorded;
  }

  /** {@return true if there is a listener, which receives each allocation and free} */
  boolean isObserved() {
    return isObserved;
  }

  /** {@return true if Flight Recorder records allocations or frees of this allocator now} */
  boolean isEachRecorded() {
    return mayBeRecorded() && JfrEvents.isEachRecorded();
  }

  /** Reports an allocation; an exception of the listener propagates to the caller. */
  void allocated(RegionSpace space, int slot) {
    if (mayBeRecorded()) {
      JfrEvents.allocated(allocator, space, slot);
    }
    if (isObserved) {
      Allocation allocation = space.allocation(slot);
      callbacks.callListener(() -> listener.allocated(allocation));
    }
  }

  /** Reports a cause, which the next events do not tell, of their addresses. */
  void unrepeatable(String cause) {
    if (isObserved) {
      callbacks.callListener(() -> listener.unrepeatable(cause));
    }
  }

  /** Records a free; {@link #notifyFreed} then notifies the listener. */
  void freed(RegionSpace space, int slot) {
    if (mayBeRecorded()) {
      JfrEvents.freed(allocator, space, slot);
    }
  }

  /** Notifies the listener of a free; its exception propagates to the caller. */
  void notifyFreed(long allocationId) {
    if (isObserved) {
      callbacks.callListener(() -> listener.freed(allocationId));
    }
  }

  /** Reports a request that failed; an exception of the listener propagates to the caller. */
  void failed(long bytes) {
    if (isObserved) {
      callbacks.callListener(() -> listener.failed(bytes));
    }
  }

  /** Records the verdict of a request that gets an empty result. */
  void refused(AllocatorStatistics statistics, long bytes, OutOfMemoryVerdict verdict, String tag) {
    if (mayBeRecorded()) {
      JfrEvents.outOfMemory(allocator, statistics, bytes, verdict, tag);
    }
  }

  /** Records the verdict of a request that gets an exception. */
  void outOfMemory(BfcOutOfMemoryException failure, String tag) {
    refused(failure.report().statistics(), failure.requestedBytes(), failure.verdict(), tag);
    log.failed(failure);
  }

  /** Records allocations that are in use when the allocator is closed. */
  void leaked(InUseReport leaks) {
    if (mayBeRecorded()) {
      JfrEvents.leaked(leaks);
    }
  }

  @Override
  public void added(long address, long bytes) {
    log.grew(address, bytes);
    if (mayBeRecorded()) {
      JfrEvents.extended(allocator, address, bytes);
    }
  }

  @Override
  public void removed(long address, long bytes) {
    log.shrank(address, bytes);
    if (mayBeRecorded()) {
      JfrEvents.extended(allocator, address, -bytes);
    }
  }

  /** Sets the source of slots. */
  void setSlots(SlotUse.Source source) {
    slots = source;
  }

  /** {@return the slots of slabs, for a caller without the lock} */
  SlotUse slots(boolean isEach) {
    return slots.read(isEach);
  }

  /** {@return a report of a space, with slots in the place of slabs, without the lock} */
  AllocatorReport report(RegionSpace space) {
    return new SpaceReader(space, slots(true)).report(allocator);
  }
}
