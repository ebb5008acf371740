package dev.stowage.onnxruntime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The admission of sessions and runs: the ledger with its lock, and the threads that wait. */
final class Admission {

  /*
   * A thread waits without the lock for a latch of its own request, so that an admitted request wakes
   * one thread, which does not need the lock again. A virtual thread that waits holds no carrier
   * thread. Calls of the program that take the lock are pinned (see PinnedCalls).
   *
   * The run of a thread is a scoped value, which the calls of the engine in that thread see. Other
   * threads of the engine have no such value. Each admission has its own value, because one run can have
   * permits for the memory of the host and of a device.
   */

  /** The unit of the allocator's chunks. */
  static final long QUANTUM_BYTES = 256;

  private final ScopedValue<RunAccount> currentRun = ScopedValue.newInstance();
  private final PinnedCalls pinned = new PinnedCalls();
  private final ReentrantLock lock = new ReentrantLock();
  private final AdmissionLedger ledger;
  private final int recentRuns;
  private final ConcurrentHashMap<Long, Charge> charges = new ConcurrentHashMap<>();

  /**
   * Creates an admission without sessions.
   *
   * @param capacityBytes the most bytes that are admitted
   * @param ranges the source of the ranges of runs; runs have none if it is empty
   * @param recentRuns the number of runs of a session of which estimates are made
   */
  Admission(long capacityBytes, Optional<RunRange.Source> ranges, int recentRuns) {
    ledger = new AdmissionLedger(capacityBytes, ranges);
    this.recentRuns = recentRuns;
  }

  /** {@return the account of sessions without an account of their own} */
  SessionAccount otherSessions() {
    return ledger.otherSessions();
  }

  // Called by the program.

  SessionAccount open(String name, SessionLimits limits) {
    SessionAccount session = SessionAccount.of(name, limits, recentRuns);
    run(() -> ledger.open(session));
    return session;
  }

  /** Closes a session and {@return true if it was open} */
  boolean close(SessionAccount session) {
    return read(() -> ledger.close(session));
  }

  /**
   * Rejects further sessions and requests.
   *
   * @param allocator the allocator in the message
   * @throws IllegalStateException if permits are open or requests wait
   */
  void close(String allocator) {
    run(() -> ledger.close(allocator));
  }

  /**
   * {@return an open run}
   *
   * @throws AdmissionException if the run is not admitted in time, or can never be
   * @throws InterruptedException if the thread is interrupted before the run is admitted
   */
  RunAccount admit(SessionAccount session, long bytes, Duration timeout)
      throws InterruptedException {
    return admit(session, bytes, true, timeout);
  }

  /** {@return the admitted loading of a session, which allocates from no range of its own} */
  RunAccount admitLoading(SessionAccount session, long bytes, Duration timeout)
      throws InterruptedException {
    return admit(session, bytes, false, timeout);
  }

  private RunAccount admit(SessionAccount session, long bytes, boolean needsRange, Duration timeout)
      throws InterruptedException {
    Duration wait = timeout.isNegative() ? Duration.ZERO : timeout;
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    CountDownLatch turn = new CountDownLatch(1);
    RunAccount run = read(() -> ledger.request(session, bytes, needsRange, turn::countDown));
    if (turn.getCount() > 0) {
      await(run, turn, wait);
    }
    if (run.obstacle().isPresent()) {
      throw AdmissionException.impossible(session, bytes, run.obstacle().get());
    }
    return run;
  }

  private void await(RunAccount run, CountDownLatch turn, Duration timeout)
      throws InterruptedException {
    try {
      if (!turn.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
        Optional<AdmissionException> rejection = read(() -> ledger.reject(run, timeout.toString()));
        if (rejection.isPresent()) {
          throw rejection.get();
        }
      }
    } catch (InterruptedException interrupted) {
      if (read(() -> ledger.withdraw(run))) {
        throw interrupted;
      }
      Thread.currentThread().interrupt(); // the request has been answered before the interrupt
    }
  }

  /** Ends the loading of a session. */
  void closeLoading(RunAccount run) {
    run(() -> ledger.close(run, false));
  }

  /**
   * Ends a run and {@return the largest number of bytes in use since the run before, or empty if it
   * has ended}
   */
  OptionalLong closeRun(RunAccount run) {
    return read(() -> {
      if (!run.isOpen()) {
        return OptionalLong.empty();
      }
      ledger.close(run, true);
      return OptionalLong.of(ledger.takePeak());
    });
  }

  /** Runs code whose allocations in this thread belong to a run, and {@return its result} */
  <T, X extends Throwable> T call(RunAccount run, ScopedValue.CallableOp<? extends T, X> code)
      throws X {
    return ScopedValue.where(currentRun, run).call(code);
  }

  /** {@return the result of a query of the program with the lock} */
  <T> T read(Supplier<T> query) {
    return pinned.call(() -> locked(query));
  }

  private void run(Runnable action) {
    read(() -> {
      action.run();
      return true;
    });
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** {@return the open sessions in the order of their opening} */
  List<SessionAccount> sessions() {
    return read(() -> {
      List<SessionAccount> sessions = new ArrayList<>(ledger.sessions());
      sessions.remove(ledger.otherSessions());
      return sessions;
    });
  }

  /** {@return the usage of the open sessions in the order of their opening} */
  List<SessionUsage> usages() {
    return read(() ->
        ledger.sessions().stream()
            .filter(session -> !session.equals(ledger.otherSessions()))
            .map(SessionAccount::usage)
            .toList());
  }

  // Called by the engine.

  /** {@return the address of bytes in the range of a run, or empty if there is no room in one} */
  OptionalLong allocateInRange(SessionAccount session, long bytes) {
    if (bytes > Long.MAX_VALUE - QUANTUM_BYTES) {
      return OptionalLong.empty();
    }
    Optional<RunCharges.InRange> allocation =
        locked(() -> ledger.allocate(session, currentRun(), bytes, rounded(bytes)));
    allocation.ifPresent(taken -> charges.put(taken.address(), taken.charge()));
    return allocation.isPresent()
        ? OptionalLong.of(allocation.get().address())
        : OptionalLong.empty();
  }

  /** Charges memory at an address that is in no range. */
  void allocated(SessionAccount session, long address, long bytes) {
    charges.put(address, locked(() -> ledger.allocated(session, currentRun(), rounded(bytes))));
  }

  private Optional<RunAccount> currentRun() {
    return currentRun.isBound() ? Optional.of(currentRun.get()) : Optional.empty();
  }

  static long rounded(long bytes) {
    return (bytes + QUANTUM_BYTES - 1) & -QUANTUM_BYTES;
  }

  /** Removes the charge of an address and {@return the charge, if there is one} */
  Optional<Charge> remove(long address) {
    return Optional.ofNullable(charges.remove(address));
  }

  /** Frees an allocation in a range, and makes the bytes of any allocation free for others. */
  void free(long address, Charge charge) {
    locked(() -> {
      ledger.free(address, charge);
      return true;
    });
  }

  /** {@return the addresses in ranges of runs} */
  Set<Long> addressesInRanges() {
    return charges.entrySet().stream()
        .filter(each -> each.getValue().range().isPresent())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** {@return the addresses of the ranges of runs} */
  Set<Long> rangeAddresses() {
    return read(() ->
        ledger.sessions().stream()
            .flatMap(session -> session.openRuns().stream())
            .flatMap(run -> run.range().stream())
            .map(RunRange::address)
            .collect(Collectors.toSet()));
  }

  /** Checks the ledger and that its bytes are those of all charges, while no thread uses it. */
  void checkInvariants() {
    run(() -> {
      ledger.checkInvariants();
      long bytes = charges.values().stream().mapToLong(Charge::bytes).sum();
      if (bytes != ledger.bytesInUse()) {
        throw new AssertionError("R5 the charges are not the bytes in use: " + bytes);
      }
    });
  }
}
