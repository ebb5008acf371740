package dev.stowage.trace.format;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The part of a snapshot of PyTorch, or of a report of XLA, that is not events of the device that
 * was read.
 *
 * @param olderBlocks the number of blocks in use before the first event, which are the first
 *     allocations that a consumer gets
 * @param olderBytes the requested bytes of these blocks
 * @param reservedBytes the bytes that the recorded allocator held at the end
 * @param otherEvents the number of events of each other device that has events; if this one has
 *     none, also of those that have memory
 */
public record RecordedState(
    long olderBlocks,
    long olderBytes,
    long reservedBytes,
    SortedMap<Integer, Integer> otherEvents) {

  /** Creates a state. */
  public RecordedState {
    otherEvents = Collections.unmodifiableSortedMap(new TreeMap<>(otherEvents));
  }
}
