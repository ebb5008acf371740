package dev.stowage.trace.format;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of a snapshot of PyTorch, or of a report of XLA, besides the events that were read.
 *
 * @param olderBlocks the number of blocks in use before the first event; a consumer gets them
 *     first, as allocations
 * @param olderBytes the requested bytes of these blocks
 * @param reservedBytes the bytes that the recorded allocator held at the end
 * @param otherEvents the number of events of each other device with events; if the device itself
 *     has no events, also of the devices with memory only
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
