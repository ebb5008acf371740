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
 * @param firstEvent the event that allocated the chunk, from 1
 * @param endEvent the event that freed the chunk; if none did, the number after the last event
 * @param stream the stream of the device
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
    List<String> frames) {

  PlacedChunk endingAt(long event) {
    return new PlacedChunk(
        id, requestedBytes, chunkBytes, regionIndex, offset, firstEvent, event, stream, frames);
  }

  /** {@return the area of its rectangle, in bytes times events} */
  double area() {
    return (double) chunkBytes * (endEvent - firstEvent);
  }
}
