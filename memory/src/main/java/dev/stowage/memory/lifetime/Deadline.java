package dev.stowage.memory.lifetime;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The end of a wait. */
public final class Deadline {

  /** The longest timeout; a longer one is reduced to it. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(36_525);

  private final long nanos;

  private Deadline(long nanos) {
    this.nanos = nanos;
  }

  /** {@return a deadline after a timeout; it is already over if the timeout is not positive} */
  public static Deadline in(Duration timeout) {
    Duration wait = timeout.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : timeout;
    return new Deadline(System.nanoTime() + (wait.isPositive() ? wait.toNanos() : 0));
  }

  private long leftNanos() {
    return nanos - System.nanoTime();
  }

  /** {@return the time until the deadline; not positive after it} */
  public Duration left() {
    return Duration.ofNanos(leftNanos());
  }

  /** {@return true if the time is over} */
  public boolean isOver() {
    return leftNanos() <= 0;
  }

  /**
   * Waits for some time, at most until the deadline.
   *
   * @param purpose the purpose of the wait, in the message of the exception
   * @throws InterruptedException if the thread is interrupted
   */
  public void pause(long mostNanos, Supplier<String> purpose) throws InterruptedException {
    LockSupport.parkNanos(this, Math.min(mostNanos, Math.max(0, leftNanos())));
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted while " + purpose.get());
    }
  }
}
