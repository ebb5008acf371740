package dev.stowage.cli.replay;

import java.util.List;

/**
 * A chunk while it was in use.
 *
 * @param id of the request
 * @param requestedBytes what was asked for
 * @param chunkBytes what it took, rounding and an unsplit rest included
 * @param regionIndex the region, counted from 0 in the order of their addresses
 * @param offset bytes from the region's start
 * @param firstEvent the event that allocated it, counted from 1
 * @param endEvent the event that freed it; where none did, the number after the last one's
 * @param stream the queue of the device that asked
 * @param frames who asked, the innermost first; empty where the trace does not say
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

  /** {@return its rectangle's area, in bytes times events} */
  double area() {
    return (double) chunkBytes * (endEvent - firstEvent);
  }
}
