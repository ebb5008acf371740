package dev.stowage.onnxruntime;

import dev.stowage.allocator.BfcOutOfMemoryException;
import java.time.Duration;
import java.util.Locale;

/**
 * The memory of one session of ONNX Runtime: its admission, its peaks and its failures.
 *
 * {@snippet :
 * try (SessionMemory classifier = allocator.openSession("classifier", SessionLimits.none());
 *     OrtSession session =
 *         classifier.load(
 *             64 << 20, Duration.ofSeconds(10), () -> environment.createSession(model, options))) {
 *   try (RunPermit permit = classifier.admit(8 << 20, Duration.ofSeconds(1));
 *       OrtSession.Result result = permit.call(() -> session.run(inputs))) {
 *     classifier.check();
 *   } catch (AdmissionException rejected) {
 *     // ONNX Runtime was not called
 *   }
 * }
 * }
 *
 * <p>An admitted request keeps its bytes until its permit is closed. Requests wait in the order of
 * arrival: a request does not overtake an earlier one that waits for the same bytes. If loaded
 * models and the reservations of other sessions leave too few bytes, a request is rejected at once,
 * because it cannot pass even if all runs end. Waiting virtual threads hold no carrier threads.
 *
 * <p>All memory of the session is charged to it, in all threads of ONNX Runtime, and has the tags
 * {@code name/weights} and {@code name/tensors}. Safe for use by many threads.
 */
public final class SessionMemory implements AutoCloseable {

  private final EngineMemory memory;
  private final SessionAccount account;
  private final Registration registration;

  SessionMemory(EngineMemory memory, SessionAccount account, Registration registration) {
    this.memory = memory;
    this.account = account;
    this.registration = registration;
  }

  /**
   * Creates the session of ONNX Runtime.
   *
   * <p>The code must create one session, with options that {@link OnnxRuntimeAllocator#configure}
   * has configured. Sessions of an allocator are created one at a time, because each one gets an
   * entry of its own in ONNX Runtime. While the code runs, other code must not create sessions with
   * such options, because their memory would be charged to this session. The bytes that the session
   * keeps stay charged; the rest is released.
   *
   * @param bytes the most bytes that the session uses while it is created
   * @param timeout the longest wait for these bytes, without the wait for other sessions that are
   *     being created; zero or negative for no wait
   * @param code the creation of the session
   * @param <T> the type of the session
   * @param <X> the type of the exception
   * @return the session
   * @throws AdmissionException if the session is not admitted in time, or cannot be admitted while
   *     the same sessions are open; the code is not run
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if this memory or the allocator is closed, or if the code of
   *     another {@code load} calls this method
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws X if the code throws it
   */
  public <T, X extends Throwable> T load(
      long bytes, Duration timeout, ScopedValue.CallableOp<? extends T, X> code)
      throws X, InterruptedException {
    RunAccount loading = memory.admission().admitLoading(account, bytes, timeout);
    try {
      return registration.call(account, () -> memory.admission().call(loading, code));
    } finally {
      memory.admission().closeLoading(loading);
    }
  }

  /**
   * {@return a permit for a run}
   *
   * <p>A thread that has a permit and requests another one may wait for the bytes of its own
   * permit. Use a short timeout for such a request.
   *
   * @param bytes the most bytes that the run uses, with its results
   * @param timeout the longest wait for these bytes; zero or negative for no wait
   * @throws AdmissionException if the run is not admitted in time, or cannot be admitted while the
   *     same sessions are open
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if this memory or the allocator is closed
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public RunPermit admit(long bytes, Duration timeout) throws InterruptedException {
    return new RunPermit(memory, memory.admission().admit(account, bytes, timeout));
  }

  /**
   * {@return a permit for a run with the estimated bytes: the 99th percentile of recent runs}
   *
   * <p>A run that uses more bytes takes the rest from the reserve of the allocator ({@link
   * OnnxRuntimeOptions#withReserve}) and is counted ({@link SessionUsage.Runs#overruns()}).
   *
   * @param timeout the longest wait for these bytes; zero or negative for no wait
   * @throws AdmissionException if the run is not admitted in time, or cannot be admitted while the
   *     same sessions are open
   * @throws IllegalStateException if the session has no estimates, or if this memory or the
   *     allocator is closed
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public RunPermit admit(Duration timeout) throws InterruptedException {
    long bytes =
        memory
            .admission()
            .read(account::estimateBytes)
            .orElseThrow(() ->
                new IllegalStateException(
                    String.format(
                        Locale.ROOT,
                        "session '%s' has no estimates: open it with SessionLimits.withEstimate, or pass the bytes of the run",
                        account.name())));
    return admit(bytes, timeout);
  }

  /**
   * Throws the first failure of this session since the last call, once.
   *
   * @throws BfcOutOfMemoryException if a request was refused; the message names the session
   * @throws IllegalStateException if the system failed to provide or take back memory
   */
  public void check() {
    account.failures().throwFirst();
  }

  /** {@return the name} */
  public String name() {
    return account.name();
  }

  /** {@return the memory of the session now, and its past use} */
  public SessionUsage usage() {
    return memory.admission().read(account::usage);
  }

  /**
   * Releases the reservation; has no effect if this memory is closed.
   *
   * @throws IllegalStateException if the session holds memory, or has open permits or waiting
   *     requests; nothing changes then
   */
  @Override
  public void close() {
    memory.closeSession(account);
    registration.remove(account);
  }

  /** {@return "session" and its name} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "session '%s'", account.name());
  }
}
