package dev.stowage.pages.history;

import dev.stowage.trace.format.AllocationEvent;

/**
 * A chunk and the time in which it was in use.
 *
 * @param request the request that got it
 * @param chunkBytes the bytes of the chunk, with rounding and an unsplit rest
 * @param regionIndex the index of the region, in the order of addresses
 * @param offset the offset in the region
 * @param firstEvent the event that allocated the chunk, from 1; 0 if it is older than the recording
 * @param endEvent the event that freed the chunk; if none did, the number after the last event
 */
public record PlacedChunk(
    AllocationEvent.Allocate request,
    long chunkBytes,
    int regionIndex,
    long offset,
    long firstEvent,
    long endEvent) {

  PlacedChunk endingAt(long event) {
    return new PlacedChunk(request, chunkBytes, regionIndex, offset, firstEvent, event);
  }

  /** {@return true if the chunk is in use after an event} */
  boolean isLiveAfter(long event) {
    return firstEvent <= event && event < endEvent;
  }

  /** {@return the area of its rectangle, in bytes times events} */
  double area() {
    return (double) chunkBytes * (endEvent - firstEvent);
  }
}
