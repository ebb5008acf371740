package dev.stowage.core.bfc;

/**
 * One of the last things that an allocator did.
 *
 * @param kind what it did
 * @param allocationId which allocation, 0 where it was none
 * @param address where
 * @param bytes how many: those asked for, or those of the region's end that came or went
 * @param tag the path of the allocation's tags, empty for none
 */
public record HistoryEvent(Kind kind, long allocationId, long address, long bytes, String tag) {

  /** What an allocator does. */
  public enum Kind {
    /** A request was answered. */
    ALLOCATED,
    /** An allocation was freed. */
    FREED,
    /** A request failed. */
    FAILED,
    /** Memory came from the sub-allocator. */
    GREW,
    /** Memory went back to the sub-allocator. */
    SHRANK
  }
}
