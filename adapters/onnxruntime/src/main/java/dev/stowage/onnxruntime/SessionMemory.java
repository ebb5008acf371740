package dev.stowage.onnxruntime;

import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The memory of one session of ONNX Runtime: its account, its bytes in use and its failures.
 *
 * {@snippet :
 * try (SessionMemory classifier = allocator.openSession("classifier", 0, Long.MAX_VALUE);
 *     OrtSession session =
 *         classifier.load(
 *             64 << 20, Duration.ofSeconds(10), () -> environment.createSession(model, options))) {
 *   try (RunPermit permit = classifier.admit(8 << 20, Duration.ofSeconds(1));
 *       OrtSession.Result result = session.run(inputs)) {
 *     classifier.check();
 *   } catch (MemoryRefusedException refused) {
 *     // ONNX Runtime was not called
 *   }
 * }
 * }
 *
 * <p>Runs wait in the order of their arrival, as in each {@link MemoryAccount}. Waiting virtual
 * threads hold no carrier threads.
 *
 * <p>All memory of the session has the tags {@code name/weights} and {@code name/tensors}, in all
 * threads of ONNX Runtime. The account has the charges {@code weights} and {@code runs}: what the
 * program declares. Safe for use by many threads.
 */
public final class SessionMemory implements AutoCloseable {

  private final EngineMemory memory;
  private final SessionAccount session;
  private final Registration registration;

  /** The charges of loaded sessions. */
  private final List<MemoryAccount.Charge> weights = new CopyOnWriteArrayList<>();

  SessionMemory(EngineMemory memory, SessionAccount session, Registration registration) {
    this.memory = memory;
    this.session = session;
    this.registration = registration;
  }

  /**
   * Creates the session of ONNX Runtime.
   *
   * <p>The code must create one session, with options that {@link OnnxRuntimeAllocator#configure}
   * has configured. Sessions of an allocator are created one at a time, because each one gets an
   * entry of its own in ONNX Runtime. While the code runs, other code must not create sessions with
   * such options, because their memory would be charged to this session. The bytes that the session
   * keeps stay charged until this memory is closed; the rest is released.
   *
   * @param bytes the most bytes that the session uses while it is created
   * @param timeout the longest wait for these bytes, without the wait for other sessions that are
   *     being created; zero or negative for no wait
   * @param code the creation of the session
   * @param <T> the type of the session
   * @param <X> the type of the exception
   * @return the session
   * @throws MemoryRefusedException if the bytes are not free in time; the code is not run
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if this memory or the allocator is closed, or if the code of
   *     another {@code load} calls this method
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws X if the code throws it
   */
  public <T, X extends Throwable> T load(
      long bytes, Duration timeout, ScopedValue.CallableOp<? extends T, X> code)
      throws X, InterruptedException {
    memory.checkCaller();
    MemoryAccount.Charge charge = account().charge(bytes, "weights", timeout);
    weights.add(charge);
    long before = session.bytesInUse();
    try {
      return registration.call(session, code);
    } finally {
      keep(charge, session.bytesInUse() - before);
    }
  }

  private void keep(MemoryAccount.Charge charge, long bytes) {
    try {
      charge.resize(Math.max(0, bytes));
    } catch (MemoryRefusedException refused) { // the session keeps more than was declared
      session.failures().record(refused);
    }
  }

  /**
   * {@return a permit for a run, which is charged as {@code runs}}
   *
   * <p>A thread that has a permit and requests another one may wait for the bytes of its own
   * permit. Use a short timeout for such a request.
   *
   * @param bytes the most bytes that the run uses, with its results; charge what {@code stowage
   *     budget} measures, so that the resident memory is within the limit
   * @param timeout the longest wait for these bytes; zero or negative for no wait
   * @throws MemoryRefusedException if the bytes are not free in time
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if this memory or the allocator is closed
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public RunPermit admit(long bytes, Duration timeout) throws InterruptedException {
    memory.checkCaller();
    return new RunPermit(memory, account().charge(bytes, "runs", timeout));
  }

  /**
   * Throws the first failure of this session since the last call, once.
   *
   * @throws BfcOutOfMemoryException if a request was refused; the message names the session
   * @throws IllegalStateException if the system failed to provide or take back memory
   */
  public void check() {
    session.failures().throwFirst();
  }

  /** {@return the name} */
  public String name() {
    return session.name();
  }

  /** {@return the account; the program may also charge other bytes of the session to it} */
  public MemoryAccount account() {
    return session.charged();
  }

  /**
   * {@return the bytes of the session in use, in multiples of 256, including bytes outside the
   * limit}
   */
  public long bytesInUse() {
    return session.bytesInUse();
  }

  /** {@return the most bytes of the session in use since the peak was cleared} */
  public long peakBytes() {
    return session.peakBytes();
  }

  /** Sets the peak to the bytes that are in use now. */
  public void clearPeak() {
    session.clearPeak();
  }

  /**
   * Releases the reservation; has no effect if this memory is closed.
   *
   * @throws IllegalStateException if the session holds memory, or has open permits or waiting
   *     requests; nothing changes then
   */
  @Override
  public void close() {
    memory.checkCaller();
    if (bytesInUse() > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "session '%s' cannot be closed: bytesInUse=%d; close its session of ONNX Runtime and results first",
              name(),
              bytesInUse()));
    }
    weights.forEach(MemoryAccount.Charge::close);
    account().close();
    memory.closed(session);
    registration.remove(session);
  }

  /** {@return "session" and its name} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "session '%s'", name());
  }
}
