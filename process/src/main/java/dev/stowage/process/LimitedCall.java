package dev.stowage.process;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call of a virtual machine with a time limit.
 *
 * <p>It runs in a thread of its own, because each step may block: the attach API, a connection that
 * is not accepted, an answer in small pieces, a file of the process. After the limit, the caller
 * interrupts and abandons the thread, a daemon. The thread ends at the latest when the asked
 * process ends.
 */
final class LimitedCall {

  private LimitedCall() {}

  interface Conversation<T> {

    T answer() throws IOException;
  }

  /**
   * {@return the answer of a conversation}
   *
   * @throws IOException if the conversation fails or exceeds the limit, or if the thread is
   *     interrupted
   */
  static <T> T answer(Duration limit, Conversation<T> conversation) throws IOException {
    FutureTask<T> call = new FutureTask<>(conversation::answer);
    Thread.ofPlatform().daemon().name("stowage-attach").start(call);
    try {
      return call.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "the virtual machine does not answer within %.1f s: it is stopped, or in a long pause;"
                  + " repeat the command",
              limit.toMillis() / 1e3),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the virtual machine was asked");
    } catch (ExecutionException e) {
      switch (Objects.requireNonNull(e.getCause())) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        default -> throw new AssertionError(e);
      }
    } finally {
      call.cancel(true);
    }
  }
}
