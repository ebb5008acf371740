package dev.stowage.pages.history;

import dev.stowage.trace.replay.ReservedBytes;

/**
 * The parts of the reserved memory after an event.
 *
 * @param event the event
 * @param stream the stream of this event; free memory of other streams is a part of its own
 * @param bytes the parts
 */
public record PartsAt(long event, long stream, ReservedBytes bytes) {

  /**
   * {@return the parts with more reserved bytes; if both are equal, the parts with more requested}
   */
  static PartsAt larger(PartsAt a, PartsAt b) {
    long difference = b.bytes.reservedBytes() - a.bytes.reservedBytes();
    boolean isMore = b.bytes.requestedBytes() > a.bytes.requestedBytes();
    return difference > 0 || (difference == 0 && isMore) ? b : a;
  }
}
