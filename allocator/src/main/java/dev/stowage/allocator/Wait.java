package dev.stowage.allocator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A thread that waits for an answer, until a deadline or an interrupt.
 *
 * @param <T> the type of the answer
 */
class Wait<T> {

  /** The longest timeout; a longer one is reduced to it. */
  private static final Duration LONGEST = Duration.ofDays(36_525);

  private final Thread thread = Thread.currentThread();
  private final long deadlineNanos;
  private volatile Optional<T> answer = Optional.empty();

  Wait(Duration timeout) {
    this.deadlineNanos = System.nanoTime() + nanos(timeout);
  }

  private static long nanos(Duration timeout) {
    if (!timeout.isPositive()) {
      return 0;
    }
    return (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
  }

  /**
   * Waits without the lock for an answer, until the deadline or an interrupt.
   *
   * @param pause waits for at most as many nanoseconds as it gets, or until the thread is unparked
   */
  void await(LongConsumer pause) {
    long left = deadlineNanos - System.nanoTime();
    while (answer.isEmpty() && left > 0 && !thread.isInterrupted()) {
      pause.accept(left);
      left = deadlineNanos - System.nanoTime();
    }
  }

  /** Ends the wait. */
  void finish(T given) {
    answer = Optional.of(given);
    LockSupport.unpark(thread);
  }

  /** {@return the answer, if there is one} */
  Optional<T> answer() {
    return answer;
  }
}
