package dev.stowage.trace.format;

import dev.stowage.trace.pytorch.SnapshotHistory;

/** A consumer of events in the order of their occurrence. */
@FunctionalInterface
public interface EventConsumer {

  /**
   * Accepts the complete recording of a snapshot of PyTorch, before the first event.
   *
   * <p>The events of the recording follow: its older blocks as allocations at time 0, then its
   * allocations and frees. The id of an allocation is its number in the history. A consumer needs
   * this method only for data that events lack, such as addresses and segments.
   *
   * @param history the recording
   */
  default void snapshot(SnapshotHistory history) {}

  /**
   * Accepts a region that the recorded allocator got from its device, if the trace has regions. The
   * first request that needs the region follows.
   *
   * @param address the address of the region
   * @param bytes its size
   */
  default void region(long address, long bytes) {}

  /**
   * Accepts the memory of the recorded allocator at the start, before the first event, if the trace
   * has it.
   *
   * <p>Its chunks in use follow as allocations at time 0, in this order.
   *
   * @param memory the memory
   */
  default void memory(RecordedMemory memory) {}

  /**
   * Accepts the limit of the recorded allocator, which holds from the next event on.
   *
   * @param bytes the most bytes that the allocator may hold
   */
  default void limit(long bytes) {}

  /**
   * Accepts facts about the program that was recorded, before the first event, if the trace has
   * them.
   *
   * @param program the facts
   */
  default void program(RecordedProgram program) {}

  /**
   * Accepts the recorded address of the next event, an allocation, if the trace has addresses of a
   * device. A snapshot of PyTorch has them in {@link #snapshot}.
   *
   * @param address the address
   * @param alignment the alignment that the request asked for; 0 if it is not known
   */
  default void address(long address, long alignment) {}

  /**
   * Accepts a reason why a replay of the trace is an estimate.
   *
   * @param reason the reason as a sentence
   */
  default void doubt(String reason) {}

  /**
   * Accepts an event: an allocation or a failed request with an id that is not live, or a free of a
   * live allocation.
   *
   * @param event the event
   */
  void accept(AllocationEvent event);
}
