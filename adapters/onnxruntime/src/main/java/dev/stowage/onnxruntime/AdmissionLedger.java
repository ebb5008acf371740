package dev.stowage.onnxruntime;

import dev.stowage.allocator.internal.ByteCount;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The sessions and runs that hold bytes, and the requests that wait. The caller guards it with a
 * lock.
 */
final class AdmissionLedger {

  /*
   * A request is admitted if its session's charge stays within the session's limit, and if the bytes
   * that all sessions hold stay within the capacity. So if each run keeps its bound, the bytes in use
   * never exceed the capacity.
   *
   * HeldBytes has the sums (R1 to R3), WaitingRequests the order of requests (R4), and RunCharges
   * the allocations. An operation takes O(s) for s open sessions, and O(s) more for each request that
   * it admits.
   */

  private final HeldBytes bytes;
  private final WaitingRequests requests;
  private final RunCharges charges;

  /** The account of sessions without an account of their own. */
  private final SessionAccount others = SessionAccount.ofOthers();

  private long arrivals;
  private boolean closed;

  /**
   * Creates a ledger without sessions.
   *
   * @param capacityBytes the most bytes that are admitted; {@link Long#MAX_VALUE} for no limit
   * @param ranges the source of ranges; runs have none if it is empty
   */
  AdmissionLedger(long capacityBytes, Optional<RunRange.Source> ranges) {
    bytes = new HeldBytes(capacityBytes);
    requests = new WaitingRequests(bytes, ranges);
    charges = new RunCharges(bytes, ranges);
    bytes.add(others);
  }

  SessionAccount otherSessions() {
    return others;
  }

  /** {@return the open sessions in the order of their opening, after that of the others} */
  Set<SessionAccount> sessions() {
    return bytes.sessions();
  }

  // Sessions.

  /**
   * Opens a session, whose reservation does not wait.
   *
   * @throws IllegalStateException if a session of that name is open, or if the ledger is closed
   * @throws AdmissionException if the reservation does not fit
   */
  void open(SessionAccount session) {
    checkNotClosed(session);
    if (sessions().stream().anyMatch(other -> other.name().equals(session.name()))) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "session '%s' is open: close it first, or use another name",
              session.name()));
    }
    long reserved = session.limits().reservedBytes();
    if (reserved > bytes.freeBytes()) {
      throw new AdmissionException(
          String.format(
              Locale.ROOT,
              "session '%s' cannot reserve %s: of %s for admission, %s are free. Close other sessions, or reserve less.",
              session.name(),
              ByteCount.exact(reserved),
              ByteCount.exact(capacityBytes()),
              ByteCount.text(bytes.freeBytes())),
          session.name(),
          reserved,
          reserved > capacityBytes());
    }
    bytes.add(session);
    requests.admitWaiting(); // a waiting request may have become impossible
  }

  /**
   * Closes a session and releases its reservation, and {@return true if it was open}
   *
   * @throws IllegalStateException if the session holds bytes or has permits or requests
   */
  boolean close(SessionAccount session) {
    if (!sessions().contains(session)) {
      return false;
    }
    if (session.bytesInUse() > 0 || !session.openRuns().isEmpty() || !session.waiting().isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "session '%s' cannot be closed: bytesInUse=%d, open permits=%d, waiting requests=%d; close its session of ONNX Runtime, results and permits first",
              session.name(),
              session.bytesInUse(),
              session.openRuns().stream().filter(RunAccount::isOpen).count(),
              session.waiting().size()));
    }
    bytes.remove(session);
    requests.admitWaiting();
    return true;
  }

  /**
   * Rejects further sessions and requests.
   *
   * @param allocator the allocator in the message
   * @throws IllegalStateException if permits are open or requests wait
   */
  void close(String allocator) {
    for (SessionAccount session : sessions()) {
      if (session.hasOpenRun() || !session.waiting().isEmpty()) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "%s cannot be closed: session '%s' has open permits=%d, waiting requests=%d; close the permits and interrupt the waiting threads first",
                allocator,
                session.name(),
                session.openRuns().stream().filter(RunAccount::isOpen).count(),
                session.waiting().size()));
      }
    }
    closed = true;
  }

  // Requests.

  /**
   * {@return the account of a new request, which is open if it is admitted at once}
   *
   * <p>If the request waits, and sessions that are opened or loaded later make it impossible, its
   * wait ends with an obstacle.
   *
   * @param needsRange true if the run allocates from a range of its own
   * @param wake runs when the request is admitted, or has an obstacle
   * @throws IllegalArgumentException if {@code boundBytes < 1}
   * @throws IllegalStateException if the session or the ledger is closed
   * @throws AdmissionException if the limits never permit the request
   */
  RunAccount request(SessionAccount session, long boundBytes, boolean needsRange, Runnable wake) {
    if (boundBytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + boundBytes);
    }
    checkOpen(session);
    checkPossible(session, boundBytes, bytes.obstacle(session, boundBytes));
    RunAccount run = new RunAccount(session, boundBytes, needsRange, arrivals++, wake);
    requests.add(run);
    requests.admitWaiting();
    return run;
  }

  private void checkNotClosed(SessionAccount session) {
    if (closed) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "session '%s' gets no memory: its allocator is closed", session.name()));
    }
  }

  private void checkOpen(SessionAccount session) {
    checkNotClosed(session);
    if (!sessions().contains(session)) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "session '%s' is closed", session.name()));
    }
  }

  private static void checkPossible(
      SessionAccount session, long boundBytes, Optional<String> obstacle) {
    if (obstacle.isPresent()) {
      session.countRejection();
      throw AdmissionException.impossible(session, boundBytes, obstacle.get());
    }
  }

  /**
   * Ends the wait of a request and {@return the exception for its caller, or empty if it does not
   * wait}
   */
  Optional<AdmissionException> reject(RunAccount run, String time) {
    if (!run.isWaiting()) {
      return Optional.empty();
    }
    SessionAccount session = run.session();
    AdmissionException rejection =
        new AdmissionException(
            String.format(
                Locale.ROOT,
                "session '%s' did not get %s within %s: %s are free for it, and %d earlier requests wait. Wait longer, or raise the limit.",
                session.name(),
                ByteCount.exact(run.boundBytes()),
                time,
                ByteCount.text(bytes.freeBytes(session)),
                requests.countBefore(run)),
            session.name(),
            run.boundBytes(),
            false);
    session.countRejection();
    withdraw(run);
    return Optional.of(rejection);
  }

  /** Ends the wait of a request, and {@return true if it waited} */
  boolean withdraw(RunAccount run) {
    if (!run.isWaiting()) {
      return false;
    }
    requests.remove(run);
    run.end();
    requests.admitWaiting();
    return true;
  }

  // Runs.

  /**
   * Ends an open run; has no effect if it has ended.
   *
   * <p>If its range has bytes in use, the range stays charged until they are freed. The session
   * keeps other bytes in use.
   *
   * @param counts true if the run counts for estimates
   */
  void close(RunAccount run, boolean counts) {
    if (!run.isOpen()) {
      return;
    }
    if (counts) {
      run.session().countRun(run);
    }
    run.end();
    charges.removeIfUnused(run);
    requests.admitWaiting();
  }

  /**
   * {@return the address of bytes in the range of the run that asks for them, else of the only open
   * run of the session, or empty if there is no room in a range}
   *
   * @param asking the run of the thread, if it has one
   */
  Optional<RunCharges.InRange> allocate(
      SessionAccount session, Optional<RunAccount> asking, long requestedBytes, long rounded) {
    return charges.allocateInRange(session, asking, requestedBytes, rounded);
  }

  /**
   * Charges an allocation to the run that asks for it, else to the only open run of the session,
   * else to the session. {@return the charge}
   *
   * @param asking the run of the thread, if it has one
   */
  Charge allocated(SessionAccount session, Optional<RunAccount> asking, long allocatedBytes) {
    return charges.charge(sessions().contains(session) ? session : others, asking, allocatedBytes);
  }

  /** Frees an allocation in a range and reverses the charge. */
  void free(long address, Charge charge) {
    charge.range().ifPresent(range -> range.free(address));
    charges.remove(charge);
    requests.admitWaiting();
  }

  // Queries.

  long capacityBytes() {
    return bytes.capacityBytes();
  }

  long heldBytes() {
    return bytes.heldBytes();
  }

  /** {@return the bytes in use of all sessions} */
  long bytesInUse() {
    return bytes.bytesInUse();
  }

  /** {@return the largest charge of all sessions together since the last call} */
  long takePeak() {
    return bytes.takePeak();
  }

  /** Checks R1 to R4. */
  void checkInvariants() {
    bytes.checkInvariants();
    requests.checkInvariants();
  }
}
