package dev.stowage.onnxruntime;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that sessions and runs hold or were promised, and the requests that wait. The caller
 * guards it with a lock.
 */
final class AdmissionLedger {

  /*
   * A session is charged with the bytes that it keeps, and for each open run with the larger of the
   * declared bytes and the bytes in use. A session holds its charge, or its reservation if that is
   * larger. A request is admitted if its session's charge stays within the session's limit, and if
   * the bytes that all sessions hold stay within the capacity. So if each run keeps its bound, the
   * bytes in use never exceed the capacity.
   *
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
   * A run that is admitted takes a range of its bound and allocates there first, so that free chunks
   * between the memory of other runs cannot make it fail. Without a free range, the request waits, and
   * blocks others in the same way as one that lacks bytes of the capacity. If no limit is set, a run
   * for which there is no range has none.
   *
   *   R1  a session's bytes in use are its kept bytes and those of its open runs;
   *   R2  a session's charge is its kept bytes and the charges of its open runs;
   *   R3  the held bytes, and the bytes in use, are the sums over all sessions;
   *   R4  a request waits only if its bytes or a range are lacking or if an earlier request blocks it.
   *
   * An operation takes O(s) for s open sessions, and O(s) more for each request that it admits.
   */

  private final long capacityBytes;
  private final Optional<Ranges> ranges;
  private final Set<SessionAccount> sessions = new LinkedHashSet<>();

  /** The account of sessions without an account of their own. */
  private final SessionAccount others = SessionAccount.ofOthers();

  private long heldBytes;
  private long chargedBytes;
  private long bytesInUse;

  /** The largest charge of all sessions together since the last call of {@link #takePeak}. */
  private long peakBytes;

  private long arrivals;

  /** Bytes of an allocation, the run that uses them, if one is known, and its range if in it. */
  record Charge(
      SessionAccount session, Optional<RunAccount> run, long bytes, Optional<RunRange> range) {}

  /** An allocation in a range. */
  record InRange(long address, Charge charge) {}

  /** The source of ranges. */
  interface Ranges {

    /** {@return a range for a run, or empty if there is none now} */
    Optional<RunRange> take(SessionAccount session, long bytes);

    /** Takes a range back. */
    void release(RunRange range);
  }

  /**
   * Creates a ledger without sessions.
   *
   * @param capacityBytes the most bytes that are admitted; {@link Long#MAX_VALUE} for no limit
   * @param ranges the source of ranges; runs have none if it is empty
   */
  AdmissionLedger(long capacityBytes, Optional<Ranges> ranges) {
    this.capacityBytes = capacityBytes;
    this.ranges = ranges;
    sessions.add(others);
  }

  SessionAccount others() {
    return others;
  }

  /** {@return the open sessions in the order of their opening, after that of the others} */
  Set<SessionAccount> sessions() {
    return sessions;
  }

  // Sessions.

  /**
   * Opens a session, whose reservation does not wait.
   *
   * @throws IllegalStateException if a session of that name is open
   * @throws AdmissionException if the reservation does not fit
   */
  void open(SessionAccount session) {
    if (sessions.stream().anyMatch(other -> other.name().equals(session.name()))) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "session '%s' is open: close it first, or use another name",
              session.name()));
    }
    long reserved = session.limits().reservedBytes();
    if (reserved > freeBytes()) {
      throw new AdmissionException(
          String.format(
              Locale.ROOT,
              "session '%s' cannot reserve %d bytes: %d of %d bytes for admission are free; close other sessions, or reserve less",
              session.name(),
              reserved,
              freeBytes(),
              capacityBytes),
          session.name(),
          reserved,
          reserved > capacityBytes);
    }
    sessions.add(session);
    heldBytes += reserved;
  }

  /**
   * Closes a session and releases its reservation, and {@return true if it was open}
   *
   * @throws IllegalStateException if the session holds bytes or has permits or requests
   */
  boolean close(SessionAccount session) {
    if (!sessions.contains(session)) {
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
    sessions.remove(session);
    heldBytes -= session.heldBytes();
    serve();
    return true;
  }

  // Requests.

  /**
   * {@return the account of a new request, which is open if it is admitted at once}
   *
   * @param needsRange true if the run allocates from a range of its own
   * @param wake runs when the request is admitted
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the session is closed
   * @throws AdmissionException if the limits never permit the request
   */
  RunAccount request(SessionAccount session, long bytes, boolean needsRange, Runnable wake) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    checkOpen(session);
    checkPossible(session, bytes);
    RunAccount run = new RunAccount(session, bytes, needsRange, arrivals++, wake);
    session.waiting().add(run);
    serve();
    return run;
  }

  private void checkOpen(SessionAccount session) {
    if (!sessions.contains(session)) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "session '%s' is closed", session.name()));
    }
  }

  private void checkPossible(SessionAccount session, long bytes) {
    long reservedByOthers = 0;
    for (SessionAccount other : sessions) {
      reservedByOthers += other.equals(session) ? 0 : other.limits().reservedBytes();
    }
    String reason = "";
    if (bytes > session.limits().limitBytes()) {
      reason = "the limit of the session is " + session.limits().limitBytes();
    } else if (bytes > capacityBytes - reservedByOthers) {
      reason =
          String.format(
              Locale.ROOT,
              "there are %d bytes for admission, of which other sessions reserve %d",
              capacityBytes,
              reservedByOthers);
    }
    if (!reason.isEmpty()) {
      session.rejected();
      throw new AdmissionException(
          String.format(
              Locale.ROOT,
              "session '%s' can never get %d bytes: %s; request fewer bytes, or raise the limit",
              session.name(),
              bytes,
              reason),
          session.name(),
          bytes,
          true);
    }
  }

  /** Ends the wait of a request and {@return the exception for its caller} */
  AdmissionException reject(RunAccount run, String time) {
    SessionAccount session = run.session();
    long earlier =
        sessions.stream()
            .flatMap(each -> each.waiting().stream())
            .filter(other -> other.arrival() < run.arrival())
            .count();
    AdmissionException rejection =
        new AdmissionException(
            String.format(
                Locale.ROOT,
                "session '%s' did not get %d bytes within %s: %d bytes are free for it, and %d earlier requests wait; wait longer, or raise the limit",
                session.name(),
                run.boundBytes(),
                time,
                freeBytes(session),
                earlier),
            session.name(),
            run.boundBytes(),
            false);
    session.rejected();
    withdraw(run);
    return rejection;
  }

  /** Ends the wait of a request. */
  void withdraw(RunAccount run) {
    run.session().waiting().remove(run);
    run.end();
    serve();
  }

  private long freeBytes() {
    return Math.max(0, capacityBytes - heldBytes);
  }

  private long freeBytes(SessionAccount session) {
    long free =
        Math.max(0, capacityBytes - heldBytes + session.heldBytes() - session.chargedBytes());
    return Math.min(free, Math.max(0, session.limits().limitBytes() - session.chargedBytes()));
  }

  /** Admits requests in the order of arrival, as far as no earlier one blocks them. */
  private void serve() {
    Set<SessionAccount> blocked = new LinkedHashSet<>();
    boolean isCapacityBlocked = false;
    Optional<RunAccount> next = firstWaiting(blocked);
    while (next.isPresent()) {
      RunAccount run = next.get();
      boolean isInReservation = addedBytes(run) == 0;
      boolean isPossible = isInReservation || (!isCapacityBlocked && isWithinCapacity(run));
      if (!isWithinLimit(run)) {
        blocked.add(run.session());
      } else if (!isPossible || !tryAdmit(run)) {
        isCapacityBlocked = true;
        blocked.add(run.session());
      }
      next = firstWaiting(blocked);
    }
  }

  private Optional<RunAccount> firstWaiting(Set<SessionAccount> blocked) {
    @Nullable RunAccount first = null;
    for (SessionAccount session : sessions) {
      RunAccount head = session.waiting().peek();
      if (head != null
          && !blocked.contains(session)
          && (first == null || head.arrival() < first.arrival())) {
        first = head;
      }
    }
    return Optional.ofNullable(first);
  }

  private static boolean isWithinLimit(RunAccount run) {
    SessionAccount session = run.session();
    return run.boundBytes() <= session.limits().limitBytes() - session.chargedBytes();
  }

  private boolean isWithinCapacity(RunAccount run) {
    return addedBytes(run) <= capacityBytes - heldBytes;
  }

  /** {@return the bytes of a request beyond those that its session already holds} */
  private static long addedBytes(RunAccount run) {
    SessionAccount session = run.session();
    long unused = session.heldBytes() - session.chargedBytes();
    return Math.max(0, run.boundBytes() - unused);
  }

  /** Admits the first request of its session, unless it lacks a range. */
  private boolean tryAdmit(RunAccount run) {
    SessionAccount session = run.session();
    Optional<RunRange> range =
        ranges.filter(_ -> run.needsRange()).flatMap(each -> each.take(session, run.boundBytes()));
    boolean isRangeRequired =
        ranges.isPresent() && run.needsRange() && capacityBytes < Long.MAX_VALUE;
    if (isRangeRequired && range.isEmpty()) {
      return false;
    }
    session.waiting().remove();
    session.openRuns().add(run);
    run.open(range);
    change(session, () -> session.charge(run.boundBytes()));
    return true;
  }

  /** Changes the charge of a session. */
  private void change(SessionAccount session, Runnable change) {
    long before = session.heldBytes();
    long chargedBefore = session.chargedBytes();
    change.run();
    heldBytes += session.heldBytes() - before;
    chargedBytes += session.chargedBytes() - chargedBefore;
    peakBytes = Math.max(peakBytes, chargedBytes);
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
      run.session().ended(run);
    }
    run.end();
    removeIfUnused(run);
    serve();
  }

  private void removeIfUnused(RunAccount run) {
    SessionAccount session = run.session();
    if (run.isRangeUsed() || !session.openRuns().remove(run)) {
      return;
    }
    change(
        session,
        () -> {
          session.charge(-run.chargedBytes());
          session.keep(run.usedBytes());
        });
    run.range()
        .ifPresent(range -> {
          run.removeRange();
          ranges.orElseThrow().release(range);
        });
  }

  /**
   * {@return the address of bytes in the range of the run that asks for them, else of the only open
   * run of the session, or empty if there is no room in a range}
   *
   * @param asking the run of the thread, if it has one
   */
  Optional<InRange> allocate(
      SessionAccount asked, Optional<RunAccount> asking, long requestedBytes, long rounded) {
    Optional<RunAccount> run = runOf(asked, asking).filter(each -> each.range().isPresent());
    if (run.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong address = run.get().range().orElseThrow().allocate(requestedBytes);
    return address.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new InRange(
                address.getAsLong(), charge(new Charge(asked, run, rounded, run.get().range()))));
  }

  /**
   * Charges an allocation to the run that asks for it, else to the only open run of the session,
   * else to the session. {@return the charge}
   *
   * @param asking the run of the thread, if it has one
   */
  Charge allocated(SessionAccount asked, Optional<RunAccount> asking, long bytes) {
    SessionAccount session = sessions.contains(asked) ? asked : others;
    Optional<RunAccount> run = runOf(session, asking);
    if (run.isEmpty() && session.hasOpenRun()) {
      session.notAttributed();
    }
    return charge(new Charge(session, run, bytes, Optional.empty()));
  }

  private static Optional<RunAccount> runOf(SessionAccount session, Optional<RunAccount> asking) {
    Optional<RunAccount> own = asking.filter(run -> run.isOpen() && run.session().equals(session));
    return own.isEmpty() ? session.onlyOpenRun() : own;
  }

  private Charge charge(Charge charge) {
    SessionAccount session = charge.session();
    session.use(charge.bytes());
    bytesInUse += charge.bytes();
    change(session, () -> use(charge, charge.bytes()));
    return charge;
  }

  private static void use(Charge charge, long bytes) {
    SessionAccount session = charge.session();
    Optional<RunAccount> charged = charge.run().filter(session.openRuns()::contains);
    if (charged.isEmpty()) {
      session.keep(bytes);
      return;
    }
    RunAccount run = charged.get();
    boolean wasOverrun = run.isOverrun();
    long before = run.chargedBytes();
    run.use(bytes, charge.range().isPresent());
    session.charge(run.chargedBytes() - before);
    if (run.isOverrun() && !wasOverrun) {
      session.overran();
    }
  }

  /** Frees an allocation in a range and reverses the charge. */
  void free(long address, Charge charge) {
    charge.range().ifPresent(range -> range.free(address));
    SessionAccount session = charge.session();
    session.use(-charge.bytes());
    bytesInUse -= charge.bytes();
    change(session, () -> use(charge, -charge.bytes()));
    charge.run().filter(run -> !run.isOpen()).ifPresent(this::removeIfUnused);
    serve();
  }

  // Queries.

  long capacityBytes() {
    return capacityBytes;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** {@return the bytes in use of all sessions} */
  long bytesInUse() {
    return bytesInUse;
  }

  /** {@return the largest charge of all sessions together since the last call} */
  long takePeak() {
    long peak = peakBytes;
    peakBytes = chargedBytes;
    return peak;
  }

  /** Checks R1 to R4. */
  void checkInvariants() {
    long held = 0;
    long inUse = 0;
    for (SessionAccount session : sessions) {
      long used = session.keptBytes();
      long charged = session.keptBytes();
      for (RunAccount run : session.openRuns()) {
        used += run.usedBytes();
        charged += run.chargedBytes();
      }
      held += session.heldBytes();
      inUse += session.bytesInUse();
      check(used == session.bytesInUse(), "R1 bytes in use", session);
      check(charged == session.chargedBytes(), "R2 charge", session);
    }
    check(held == heldBytes, "R3 held bytes " + heldBytes + " instead of " + held, others);
    check(inUse == bytesInUse, "R3 bytes in use " + bytesInUse + " instead of " + inUse, others);
    Optional<RunAccount> first = firstWaiting(Set.of());
    boolean isAdmissible =
        ranges.isEmpty()
            && first.filter(run -> isWithinLimit(run) && isWithinCapacity(run)).isPresent();
    check(!isAdmissible, "R4 the first request waits", others);
  }

  private static void check(boolean holds, String broken, SessionAccount session) {
    if (!holds) {
      throw new AssertionError(broken + ": session '" + session.name() + "'");
    }
  }
}
