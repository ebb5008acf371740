package dev.stowage.pages.history;

import dev.stowage.pages.history.ReplayHistory.EventRange;
import java.util.ArrayList;
import java.util.List;

/** The peak of the requested bytes, and the events after which as many bytes are in use. */
final class RequestedPeak {

  /** The number of ranges that are kept; a loop over equal steps has one for each step. */
  static final int MAX_RANGES = 1000;

  private final List<EventRange> ranges = new ArrayList<>();
  private long bytes;
  private long since;
  private boolean isAtPeak;

  /** Receives the requested bytes in use after an event, in the order of the events. */
  void add(long event, long requestedBytes) {
    if (requestedBytes > bytes) {
      bytes = requestedBytes;
      ranges.clear();
      isAtPeak = true;
      since = event;
    } else if (requestedBytes < bytes) {
      close(event - 1);
    } else if (!isAtPeak && bytes > 0) {
      isAtPeak = true;
      since = event;
    }
  }

  private void close(long lastEvent) {
    if (isAtPeak && ranges.size() < MAX_RANGES) {
      ranges.add(new EventRange(since, lastEvent));
    }
    isAtPeak = false;
  }

  /** {@return the first event of the peak; 0 if no byte was ever in use} */
  long firstEvent() {
    return ranges.isEmpty() ? since : ranges.getFirst().firstEvent();
  }

  /** {@return the ranges of events; called once, after the last event} */
  List<EventRange> ranges(long lastEvent) {
    close(lastEvent);
    return ranges;
  }
}
