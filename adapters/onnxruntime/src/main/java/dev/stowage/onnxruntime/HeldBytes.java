package dev.stowage.onnxruntime;

import dev.stowage.allocator.internal.ByteCount;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The bytes that all open sessions hold together. Guarded by the ledger's lock. */
final class HeldBytes {

  /*
   * A session is charged with the bytes that it keeps, and for each open run with the larger of the
   * declared bytes and the bytes in use. A session holds its charge, or its reservation if that is
   * larger.
   *
   *   R1  a session's bytes in use are its kept bytes and those of its open runs;
   *   R2  a session's charge is its kept bytes and the charges of its open runs;
   *   R3  the held bytes, and the bytes in use, are the sums over all sessions.
   *
   * The bytes that a session keeps since it was loaded are in use until it is closed.
   */

  private final long capacityBytes;
  private final Set<SessionAccount> sessions = new LinkedHashSet<>();

  private long heldBytes;
  private long chargedBytes;
  private long bytesInUse;

  /** The largest charge of all sessions together since the last call of {@link #takePeak}. */
  private long peakBytes;

  /**
   * Creates an account without sessions.
   *
   * @param capacityBytes the most bytes that are admitted; {@link Long#MAX_VALUE} for no limit
   */
  HeldBytes(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  // Changes.

  /** Adds a session without bytes in use. */
  void add(SessionAccount session) {
    sessions.add(session);
    heldBytes += session.heldBytes();
  }

  /** Removes a session without bytes in use. */
  void remove(SessionAccount session) {
    sessions.remove(session);
    heldBytes -= session.heldBytes();
  }

  /** Changes the charge of a session. */
  void change(SessionAccount session, Runnable change) {
    long before = session.heldBytes();
    long chargedBefore = session.chargedBytes();
    change.run();
    heldBytes += session.heldBytes() - before;
    chargedBytes += session.chargedBytes() - chargedBefore;
    peakBytes = Math.max(peakBytes, chargedBytes);
  }

  /** Adds bytes in use of a session, or removes them if negative. */
  void use(SessionAccount session, long bytes) {
    session.use(bytes);
    bytesInUse += bytes;
  }

  // Queries.

  /** {@return the open sessions in the order of their opening} */
  Set<SessionAccount> sessions() {
    return sessions;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long heldBytes() {
    return heldBytes;
  }

  long bytesInUse() {
    return bytesInUse;
  }

  /** {@return the largest charge of all sessions together since the last call} */
  long takePeak() {
    long peak = peakBytes;
    peakBytes = chargedBytes;
    return peak;
  }

  /**
   * {@return the reason for which a request cannot be admitted while the same sessions are open, or
   * empty if it can be when runs end}
   */
  Optional<String> obstacle(SessionAccount session, long boundBytes) {
    long loaded = session.loadedBytes();
    if (boundBytes > session.limits().limitBytes() - loaded) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "of the session's limit of %s, its loaded models take %s",
              ByteCount.exact(session.limits().limitBytes()),
              ByteCount.text(loaded)));
    }
    for (SessionAccount other : sessions) {
      loaded += other.equals(session) ? 0 : other.heldBytes(other.loadedBytes());
    }
    return boundBytes <= capacityBytes - loaded
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "of %s for admission, loaded models and the reservations of other sessions take %s",
                ByteCount.exact(capacityBytes),
                ByteCount.text(loaded)));
  }

  /** {@return true if no run is open, and no result, so that no end of a run frees bytes} */
  boolean isSettled() {
    return sessions.stream()
        .allMatch(session ->
            session.openRuns().isEmpty() && session.keptBytes() == session.loadedBytes());
  }

  /** {@return the bytes that no session holds} */
  long freeBytes() {
    return Math.max(0, capacityBytes - heldBytes);
  }

  /** {@return the bytes with which a request of a session would be admitted} */
  long freeBytes(SessionAccount session) {
    long free =
        Math.max(0, capacityBytes - heldBytes + session.heldBytes() - session.chargedBytes());
    return Math.min(free, Math.max(0, session.limits().limitBytes() - session.chargedBytes()));
  }

  /** {@return true if the session of a request stays within its limit} */
  static boolean isWithinLimit(RunAccount run) {
    SessionAccount session = run.session();
    return run.boundBytes() <= session.limits().limitBytes() - session.chargedBytes();
  }

  /** {@return true if all sessions stay within the capacity with a request} */
  boolean isWithinCapacity(RunAccount run) {
    return addedBytes(run) <= capacityBytes - heldBytes;
  }

  /** {@return true if the session of a request already holds its bytes} */
  static boolean isWithinReservation(RunAccount run) {
    return addedBytes(run) == 0;
  }

  /** {@return the bytes of a request beyond those that its session already holds} */
  private static long addedBytes(RunAccount run) {
    SessionAccount session = run.session();
    long unused = session.heldBytes() - session.chargedBytes();
    return Math.max(0, run.boundBytes() - unused);
  }

  /** Checks R1 to R3. */
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
      check(used == session.bytesInUse(), "R1 bytes in use: session '" + session.name() + "'");
      check(charged == session.chargedBytes(), "R2 charge: session '" + session.name() + "'");
    }
    check(held == heldBytes, "R3 held bytes " + heldBytes + " instead of " + held);
    check(inUse == bytesInUse, "R3 bytes in use " + bytesInUse + " instead of " + inUse);
  }

  private static void check(boolean holds, String broken) {
    if (!holds) {
      throw new AssertionError(broken);
    }
  }
}
