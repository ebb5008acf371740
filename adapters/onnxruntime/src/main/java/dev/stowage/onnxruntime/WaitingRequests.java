package dev.stowage.onnxruntime;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests that wait, and their order. Guarded by the ledger's lock. */
final class WaitingRequests {

  /*
   * Each session has a queue. A request waits for an earlier one if both lack the same bytes:
   *
   *   - the first request of a queue blocks the later ones of that queue;
   *   - a first request that lacks bytes of the capacity blocks the later requests of all queues,
   *     except for those that fit into the reservation of their session: these take nothing from it.
   *
   * Requests have numbers in the order of arrival, which break all ties. A large request is therefore
   * not overtaken by small ones that take its bytes. A request that lacks bytes of its session's limit
   * does not block other sessions.
   *
   * A run that is admitted takes a range of its bound. Without a free range, the request waits, and
   * blocks others in the same way as one that lacks bytes of the capacity. If no limit is set, a run
   * for which there is no range has none.
   *
   * A request that lacks bytes or a range although no run has any waits for nothing, and would block
   * the others. The same holds for a request that lacks bytes of loaded models or of reservations.
   * Such a request is rejected.
   *
   *   R4  a request waits only if its bytes or a range are lacking or if an earlier request blocks it.
   */

  private final HeldBytes bytes;
  private final Optional<RunRange.Source> ranges;

  WaitingRequests(HeldBytes bytes, Optional<RunRange.Source> ranges) {
    this.bytes = bytes;
    this.ranges = ranges;
  }

  /** Adds the latest request. */
  void add(RunAccount run) {
    run.session().waiting().add(run);
  }

  /** Removes a request if it waits. */
  void remove(RunAccount run) {
    run.session().waiting().remove(run);
  }

  /** {@return the number of requests that wait and arrived before another one} */
  long countBefore(RunAccount run) {
    return bytes.sessions().stream()
        .flatMap(session -> session.waiting().stream())
        .filter(other -> other.arrival() < run.arrival())
        .count();
  }

  /**
   * Admits requests in the order of arrival, as far as no earlier one blocks them, and rejects
   * those that have become impossible.
   */
  void admitWaiting() {
    Set<SessionAccount> blocked = new LinkedHashSet<>();
    boolean isCapacityBlocked = false;
    Optional<RunAccount> next = first(blocked);
    while (next.isPresent()) {
      RunAccount run = next.get();
      boolean isWithinLimit = HeldBytes.isWithinLimit(run);
      boolean hasBytes =
          isWithinLimit
              && (HeldBytes.isWithinReservation(run)
                  || (!isCapacityBlocked && bytes.isWithinCapacity(run)));
      if (!(hasBytes && tryAdmit(run)) && !tryReject(run, hasBytes)) {
        isCapacityBlocked |= isWithinLimit;
        blocked.add(run.session());
      }
      next = first(blocked);
    }
  }

  private Optional<RunAccount> first(Set<SessionAccount> blocked) {
    @Nullable RunAccount first = null;
    for (SessionAccount session : bytes.sessions()) {
      RunAccount head = session.waiting().peek();
      if (head != null
          && !blocked.contains(session)
          && (first == null || head.arrival() < first.arrival())) {
        first = head;
      }
    }
    return Optional.ofNullable(first);
  }

  /** Admits the first request of its session, unless it lacks a range. */
  private boolean tryAdmit(RunAccount run) {
    SessionAccount session = run.session();
    Optional<RunRange.Source> source = ranges.filter(_ -> run.needsRange());
    Optional<RunRange> range =
        source.flatMap(each -> each.take(session.runsTag(), session.failures(), run.boundBytes()));
    if (source.isPresent() && range.isEmpty() && bytes.capacityBytes() < Long.MAX_VALUE) {
      return false;
    }
    session.waiting().remove();
    session.openRuns().add(run);
    run.open(range);
    bytes.change(session, () -> session.charge(run.boundBytes()));
    return true;
  }

  /**
   * Ends the wait of the first request of its session if no end of a run can make it possible.
   *
   * @param hasBytes true if it lacks only a range
   */
  private boolean tryReject(RunAccount run, boolean hasBytes) {
    SessionAccount session = run.session();
    Optional<String> obstacle =
        hasBytes && bytes.isSettled()
            ? Optional.of("the memory of loaded models leaves no range of that size")
            : bytes.obstacle(session, run.boundBytes());
    obstacle.ifPresent(reason -> {
      session.waiting().remove();
      session.countRejection();
      run.reject(reason);
    });
    return obstacle.isPresent();
  }

  /** Checks R4 for the first request if runs have no ranges. */
  void checkInvariants() {
    Optional<RunAccount> first = first(Set.of());
    if (ranges.isEmpty()
        && first.filter(HeldBytes::isWithinLimit).filter(bytes::isWithinCapacity).isPresent()) {
      throw new AssertionError(
          "R4 the first request waits: session '" + first.get().session().name() + "'");
    }
  }
}
