package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/** The moments at which a recorded allocator returned segments to the device. */
final class RecordedReleases {

  /*
   * Segments that are released one after another are one release. The allocator releases segments
   * because the program asks for it, or because a request fails. In the second case, the next event
   * is the failure, or the segment of the request. This one is not in a private pool, and the
   * device was too small: the segments before the release and the segment of the request have more
   * bytes than were ever held. A program that reaches its peak after it has emptied the cache looks
   * alike, but only once; requests of a full device fail again and again. A garbage collection also
   * precedes a segment, and depends on a threshold instead.
   */

  /**
   * @param last the last event
   * @param precedesRequest true if the next event is a segment or a failure
   * @param neededBytes the bytes before the release, with the bytes of that segment
   */
  private record Release(int last, boolean precedesRequest, long neededBytes) {}

  /** A release for a request of a full device needs as many bytes. */
  private final long leastForRequest;

  /** The releases by their first event. */
  private final Map<Integer, Release> releases = new HashMap<>();

  /**
   * @param events the events
   * @param held the segments before the first event
   * @param collectsGarbage true if the settings of the recording have a garbage collection
   * @param isPrivate true for an event that concerns a private pool
   */
  RecordedReleases(
      SnapshotEvents events,
      List<HeldSegment> held,
      boolean collectsGarbage,
      IntPredicate isPrivate) {
    long heldBytes = held.stream().mapToLong(HeldSegment::bytes).sum();
    long peakBytes = heldBytes;
    for (int event = 0; event < events.count(); event++) {
      if (isRelease(events.action(event)) && !isRelease(before(events, event))) {
        releases.put(event, release(events, event, heldBytes, isPrivate));
      }
      switch (events.action(event)) {
        case SEGMENT_ALLOC, SEGMENT_MAP -> heldBytes += events.bytes(event);
        case SEGMENT_FREE, SEGMENT_UNMAP -> heldBytes -= events.bytes(event);
        default -> {}
      }
      peakBytes = Math.max(peakBytes, heldBytes);
    }
    long full = peakBytes + 1;
    long fullCount =
        releases.values().stream()
            .filter(release -> release.precedesRequest() && release.neededBytes() >= full)
            .count();
    leastForRequest = collectsGarbage ? 0 : fullCount > 1 ? full : Long.MAX_VALUE;
  }

  private static Release release(
      SnapshotEvents events, int first, long heldBytes, IntPredicate isPrivate) {
    int last = first;
    while (last + 1 < events.count() && isRelease(events.action(last + 1))) {
      last++;
    }
    SnapshotAction next =
        last + 1 < events.count() ? events.action(last + 1) : SnapshotAction.OTHER;
    if (next == SnapshotAction.OOM) {
      return new Release(last, true, Long.MAX_VALUE);
    }
    boolean isSegment =
        (next == SnapshotAction.SEGMENT_ALLOC || next == SnapshotAction.SEGMENT_MAP)
            && !isPrivate.test(last + 1);
    return new Release(last, isSegment, isSegment ? heldBytes + events.bytes(last + 1) : 0);
  }

  private static SnapshotAction before(SnapshotEvents events, int event) {
    return event == 0 ? SnapshotAction.OTHER : events.action(event - 1);
  }

  private static boolean isRelease(SnapshotAction action) {
    return action == SnapshotAction.SEGMENT_FREE || action == SnapshotAction.SEGMENT_UNMAP;
  }

  /**
   * {@return the last event of the release that starts with an event, if it is for the program and
   * not for a request}
   */
  OptionalInt lastForProgram(int event) {
    Release release = releases.get(event);
    return release == null
            || (release.precedesRequest() && release.neededBytes() >= leastForRequest)
        ? OptionalInt.empty()
        : OptionalInt.of(release.last());
  }
}
