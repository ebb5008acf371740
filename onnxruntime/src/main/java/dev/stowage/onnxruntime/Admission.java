package dev.stowage.onnxruntime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The admission of sessions and runs: the ledger with its lock, and the threads that wait. */
final class Admission {

  /*
   * A thread waits on a condition of its own request, so that an admitted request wakes one thread. A
   * virtual thread that waits holds no carrier thread.
   *
   * The run of a thread is a scoped value, which the calls of the engine in that thread see. Other
   * threads of the engine have no such value.
   */

  private static final ScopedValue<RunAccount> RUN = ScopedValue.newInstance();

  private static final long QUANTUM_BYTES = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final AdmissionLedger ledger;
  private final int recentRuns;
  private final ConcurrentHashMap<Long, AdmissionLedger.Charge> charges = new ConcurrentHashMap<>();

  /**
   * Creates an admission without sessions.
   *
   * @param capacityBytes the most bytes that are admitted
   * @param recentRuns the number of runs of a session of which estimates are made
   */
  Admission(long capacityBytes, int recentRuns) {
    ledger = new AdmissionLedger(capacityBytes);
    this.recentRuns = recentRuns;
  }

  /** {@return the account of sessions without an account of their own} */
  SessionAccount others() {
    return ledger.others();
  }

  // Called by the program.

  SessionAccount open(String name, SessionLimits limits) {
    SessionAccount session = SessionAccount.of(name, limits, recentRuns);
    locked(() -> ledger.open(session));
    return session;
  }

  /** Closes a session and {@return true if it was open} */
  boolean close(SessionAccount session) {
    return read(() -> ledger.close(session));
  }

  /**
   * {@return an open run}
   *
   * @throws AdmissionException if the run is not admitted in time
   * @throws InterruptedException if the thread is interrupted before the run is admitted
   */
  RunAccount admit(SessionAccount session, long bytes, Duration timeout)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Condition turn = lock.newCondition();
      RunAccount run = ledger.request(session, bytes, turn::signal);
      await(run, turn, timeout);
      return run;
    } finally {
      lock.unlock();
    }
  }

  private void await(RunAccount run, Condition turn, Duration timeout) throws InterruptedException {
    try {
      long leftNanos = TimeUnit.NANOSECONDS.convert(timeout);
      while (run.isWaiting()) {
        if (leftNanos <= 0) {
          throw ledger.reject(run, timeout.toString());
        }
        leftNanos = turn.awaitNanos(leftNanos);
      }
    } catch (InterruptedException interrupted) {
      // The request may have been admitted before this thread got the lock again.
      if (run.isWaiting()) {
        ledger.withdraw(run);
        throw interrupted;
      }
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the loading of a session. */
  void closeLoading(RunAccount run) {
    locked(() -> ledger.close(run, false));
  }

  /**
   * Ends a run and {@return the largest number of bytes in use since the run before, or empty if it
   * has ended}
   */
  OptionalLong closeRun(RunAccount run) {
    lock.lock();
    try {
      if (!run.isOpen()) {
        return OptionalLong.empty();
      }
      ledger.close(run, true);
      return OptionalLong.of(ledger.takePeak());
    } finally {
      lock.unlock();
    }
  }

  /** Runs code whose allocations in this thread belong to a run, and {@return its result} */
  static <T, X extends Throwable> T call(
      RunAccount run, ScopedValue.CallableOp<? extends T, X> code) throws X {
    return ScopedValue.where(RUN, run).call(code);
  }

  /** {@return the result of a query with the lock} */
  <T> T read(Supplier<T> query) {
    lock.lock();
    try {
      return query.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /** {@return the open sessions in the order of their opening} */
  List<SessionAccount> sessions() {
    return read(() -> {
      List<SessionAccount> sessions = new ArrayList<>(ledger.sessions());
      sessions.remove(ledger.others());
      return sessions;
    });
  }

  /** {@return the usage of the open sessions in the order of their opening} */
  List<SessionUsage> usages() {
    return read(() ->
        ledger.sessions().stream()
            .filter(session -> !session.equals(ledger.others()))
            .map(SessionAccount::usage)
            .toList());
  }

  // Called by the engine.

  /** Charges the memory at an address. */
  void allocated(SessionAccount session, long address, long bytes) {
    Optional<RunAccount> asking = RUN.isBound() ? Optional.of(RUN.get()) : Optional.empty();
    long rounded = (bytes + QUANTUM_BYTES - 1) & -QUANTUM_BYTES;
    charges.put(address, read(() -> ledger.allocate(session, asking, rounded)));
  }

  /**
   * Removes the charge of an address, which the caller then frees, and {@return the action that
   * releases the charged bytes}
   */
  Runnable freeing(long address) {
    AdmissionLedger.Charge charge = charges.remove(address);
    return charge == null ? () -> {} : () -> locked(() -> ledger.free(charge));
  }

  /** Checks the ledger and that its bytes are those of all charges, while no thread uses it. */
  void checkInvariants() {
    locked(() -> {
      ledger.checkInvariants();
      long bytes = charges.values().stream().mapToLong(AdmissionLedger.Charge::bytes).sum();
      if (bytes != ledger.bytesInUse()) {
        throw new AssertionError("R5 the charges are not the bytes in use: " + bytes);
      }
    });
  }
}
