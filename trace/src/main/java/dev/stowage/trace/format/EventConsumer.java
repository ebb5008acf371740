package dev.stowage.trace.format;

import dev.stowage.trace.pytorch.SnapshotHistory;

/** A consumer of events in the order of their occurrence. */
@FunctionalInterface
public interface EventConsumer {

  /**
   * Accepts the complete recording of a snapshot of PyTorch, before the first event.
   *
   * <p>The events that follow are those of the recording: its older blocks as allocations at time
   * 0, then its allocations and frees. The id of an allocation is its number in the history. A
   * consumer needs this method only for data that events lack, such as addresses and segments.
   *
   * @param history the recording
   */
  default void snapshot(SnapshotHistory history) {}

  /**
   * Accepts an event: an allocation whose id is not live, or a free of a live one.
   *
   * @param event the event
   */
  void accept(AllocationEvent event);
}
