package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends runs of the engine when their caller asks for it: the engine looks at its run options before
 * each operator, those of bodies included.
 *
 * <p>A thread asks the caller every few milliseconds, since the engine keeps the running one.
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
      // Nothing interrupts this thread; runs would go on to their ends.
    }
  }

  private synchronized boolean ask() {
    if (!isStopped && closed.getCount() > 0 && stop.getAsBoolean()) {
      isStopped = true;
      try {
        options.setTerminate(true);
      } catch (OrtException e) {
        throw new AssertionError("the engine takes no end of its runs", e);
      }
    }
    return isStopped;
  }

  /** {@return the options of all runs that this ends} */
  RunOptions options() {
    return options;
  }

  /**
   * Goes on if the caller does not ask for the end.
   *
   * @param done how far the runs are, in the message
   * @throws CancellationException if the caller does
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
