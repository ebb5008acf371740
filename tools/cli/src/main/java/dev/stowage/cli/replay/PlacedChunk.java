package dev.stowage.cli.replay;

import java.util.List;

/**
 * A chunk and the time in which it was in use.
 *
 * @param id the id of the request
 * @param requestedBytes the requested bytes
 * @param chunkBytes the bytes of the chunk, with rounding and an unsplit rest
 * @param regionIndex the index of the region, in the order of addresses
 * @param offset the offset in the region
 * @param firstEvent the event that allocated the chunk, from 1; 0 if it is older than the recording
 * @param endEvent the event that freed the chunk; if none did, the number after the last event
 * @param stream the stream of the device
 * @param tag the purpose of the memory; empty if the trace lacks it
 * @param frames the stack of the request, the innermost frame first; empty if the trace lacks it
 */
public record PlacedChunk(
    String id,
    long requestedBytes,
    long chunkBytes,
    int regionIndex,
    long offset,
    long firstEvent,
    long endEvent,
    long stream,
    String tag,
    List<String> frames) {

  PlacedChunk endingAt(long event) {
    return new PlacedChunk(
        id,
        requestedBytes,
        chunkBytes,
        regionIndex,
        offset,
        firstEvent,
        event,
        stream,
        tag,
        frames);
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
