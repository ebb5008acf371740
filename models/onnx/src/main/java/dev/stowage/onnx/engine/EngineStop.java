package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends runs in ONNX Runtime at the request of the caller. ONNX Runtime checks its run options
 * before each operator, including operators in bodies.
 *
 * <p>A thread of this class polls the caller's condition every few milliseconds, because the
 * caller's thread is in ONNX Runtime.
 */
final class EngineStop implements AutoCloseable {

  private static final long POLL_MILLIS = 10;

  private final BooleanSupplier stop;
  private final RunOptions options = new RunOptions();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean isStopped;

  EngineStop(BooleanSupplier stop) throws OrtException {
    this.stop = stop;
    Thread.ofPlatform().daemon().name("stowage-engine-stop").start(this::watch);
  }

  private void watch() {
    try {
      while (!closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (ask()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      // No code interrupts this thread. If it did, the runs would continue.
    }
  }

  private synchronized boolean ask() {
    if (!isStopped && closed.getCount() > 0 && stop.getAsBoolean()) {
      isStopped = true;
      try {
        options.setTerminate(true);
      } catch (OrtException e) {
        throw new AssertionError("ONNX Runtime rejects the end of its runs", e);
      }
    }
    return isStopped;
  }

  /** {@return the options of all runs that this object can end} */
  RunOptions options() {
    return options;
  }

  /**
   * Throws if the caller requests the end.
   *
   * @param done the progress of the runs, for the message
   * @throws CancellationException if the caller requests the end
   */
  void check(String done) {
    if (ask()) {
      throw new CancellationException(done);
    }
  }

  @Override
  public synchronized void close() {
    closed.countDown();
    options.close();
  }
}
