package dev.stowage.allocator;

/**
 * An event in the history of an allocator.
 *
 * @param kind the kind of the event
 * @param allocationId the number of the allocation, 0 for none
 * @param address the address of the allocation, or of the memory obtained or returned
 * @param bytes the requested bytes, or the bytes obtained or returned
 * @param tag the path of the allocation's tags, empty for none
 */
public record HistoryEvent(Kind kind, long allocationId, long address, long bytes, String tag) {

  /** The kind of an event. */
  public enum Kind {
    /** A request got memory. */
    ALLOCATED,
    /** An allocation was freed. */
    FREED,
    /** A request failed. */
    FAILED,
    /** The allocator got memory from the sub-allocator. */
    GREW,
    /** The allocator returned memory to the sub-allocator. */
    SHRANK
  }
}
