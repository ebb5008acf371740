package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The frees of a recording that waited for the work of other streams. */
final class RecordedCompletions {

  /*
   * A free that waits for no other stream is requested and completed at once. Other frees are
   * completed at the start of a later request, if the work has ended by then. So there are other
   * events between the two events of such a free, or its second event has the time of the request
   * that follows.
   */

  private static final long LEAST_WAIT_MICROS = 5;
  private static final long MOST_REQUEST_MICROS = 3;

  /** The request of a free, and the number of allocations before it. */
  private record Request(int event, int allocations) {}

  /** The number of allocations during each wait, by the event that requests the free. */
  private final Map<Integer, Integer> allocationsByRequest = new HashMap<>();

  /** The events that request frees which the recording does not complete. */
  private final Set<Integer> incomplete = new HashSet<>();

  RecordedCompletions(SnapshotHistory history) {
    SnapshotEvents events = history.device().events();
    Map<Integer, Request> requests = new HashMap<>();
    int allocations = 0;
    for (int event = 0; event < events.count(); event++) {
      int allocation = history.allocation(event);
      switch (events.action(event)) {
        case ALLOC, OOM -> allocations++;
        case FREE_REQUESTED -> {
          if (allocation != SnapshotHistory.NONE) {
            requests.put(allocation, new Request(event, allocations));
          }
        }
        case FREE_COMPLETED -> {
          Request request = requests.remove(allocation);
          if (request != null && hasWaited(events, request.event(), event)) {
            allocationsByRequest.put(request.event(), allocations - request.allocations());
          }
        }
        default -> {}
      }
    }
    requests.values().forEach(request -> incomplete.add(request.event()));
  }

  private static boolean hasWaited(SnapshotEvents events, int request, int completion) {
    if (completion - request > 1) {
      return true;
    }
    return completion + 1 < events.count()
        && events.action(completion + 1) == SnapshotAction.ALLOC
        && events.micros(completion) - events.micros(request) >= LEAST_WAIT_MICROS
        && events.micros(completion + 1) - events.micros(completion) <= MOST_REQUEST_MICROS;
  }

  /**
   * {@return true if a free still waits when the recording ends}
   *
   * @param request the event that requests the free
   */
  boolean isIncomplete(int request) {
    return incomplete.contains(request);
  }

  /**
   * {@return the number of allocations while a free waited; empty if it was completed at once, or
   * not at all}
   *
   * @param request the event that requests the free
   */
  OptionalInt allocationsUntil(int request) {
    Integer allocations = allocationsByRequest.get(request);
    return allocations == null ? OptionalInt.empty() : OptionalInt.of(allocations);
  }
}
