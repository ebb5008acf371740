package dev.stowage.cli.plan;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A request of the user to end a command early, and the work that it ends.
 *
 * <p>Each piece of work runs in a thread of its own, and the caller waits for it. If a signal
 * arrives, the caller stops waiting. The abandoned thread is a daemon, and its result is ignored.
 */
public final class Interruption {

  /** The time in which cancelled work must end. */
  private static final Duration CANCEL_TIMEOUT = Duration.ofMillis(600);

  private final Duration cancelTimeout;
  private boolean isExpected;
  private OptionalInt signal = OptionalInt.empty();

  /** Creates an interruption that has not happened yet. */
  public Interruption() {
    this(CANCEL_TIMEOUT);
  }

  /**
   * Creates an interruption that has not happened yet.
   *
   * @param cancelTimeout the time in which cancelled work must end
   */
  Interruption(Duration cancelTimeout) {
    this.cancelTimeout = cancelTimeout;
  }

  /**
   * Some work.
   *
   * @param <T> its result
   * @param <E> the checked exception that it throws
   */
  public interface Work<T, E extends Exception> {

    /** {@return the result} */
    T run() throws E;
  }

  /** Declares that the command ends itself after an interruption. */
  public synchronized void expect() {
    isExpected = true;
  }

  /**
   * Asks the command to end.
   *
   * @return false if the command does not end itself, because it did not declare that or because
   *     this is not the first signal; the caller then ends the process
   */
  public synchronized boolean interrupt(int number) {
    if (!isExpected || signal.isPresent()) {
      return false;
    }
    signal = OptionalInt.of(number);
    notifyAll();
    return true;
  }

  /** {@return true if the user interrupted the command} */
  public boolean isInterrupted() {
    return signal().isPresent();
  }

  /** {@return the number of the signal that interrupted the command} */
  public synchronized OptionalInt signal() {
    return signal;
  }

  /**
   * {@return the result of work, which is abandoned if a signal arrives}
   *
   * @param <T> its result
   * @param <E> the checked exception that it throws
   * @throws E if the work does
   * @throws WorkInterruptedException if a signal arrived before the work ended
   */
  public <T, E extends Exception> T run(Work<T, E> work) throws E {
    if (isInterrupted()) {
      throw new WorkInterruptedException();
    }
    return new Attempt<>(work).await(Duration.ZERO, () -> {});
  }

  /**
   * {@return the result of work, which is cancelled if a signal arrives}
   *
   * <p>If a signal arrived before, the work is cancelled before it starts.
   *
   * @param cancel makes the work end soon; work that does not is abandoned
   * @param <T> its result
   * @param <E> the checked exception that it throws
   * @throws E if the work does
   * @throws WorkInterruptedException if a signal arrived and the work did not end
   */
  public <T, E extends Exception> T run(Work<T, E> work, Runnable cancel) throws E {
    return new Attempt<>(work).await(cancelTimeout, cancel);
  }

  /** One piece of work. The monitor of the interruption guards its fields. */
  private final class Attempt<T, E extends Exception> {

    private final Work<T, E> work;
    private @Nullable T value;
    private @Nullable Throwable failure;
    private boolean isDone;

    Attempt(Work<T, E> work) {
      this.work = work;
    }

    T await(Duration limit, Runnable cancel) throws E {
      if (isInterrupted()) {
        cancel.run();
      }
      Thread thread = Thread.ofPlatform().daemon().name("stowage-work").start(this::attempt);
      try {
        if (!awaitEndOrSignal()) {
          cancel.run();
          if (!awaitEnd(limit)) {
            throw new WorkInterruptedException();
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new WorkInterruptedException();
      } finally {
        thread.interrupt(); // ends abandoned work that reacts to interrupts
      }
      return result();
    }

    private void attempt() {
      T made = null;
      Throwable thrown = null;
      try {
        made = work.run();
      } catch (Throwable e) { // the waiting thread throws it
        thrown = e;
      }
      synchronized (Interruption.this) {
        value = made;
        failure = thrown;
        isDone = true;
        Interruption.this.notifyAll();
      }
    }

    /** {@return true if the work ended before a signal arrived} */
    private boolean awaitEndOrSignal() throws InterruptedException {
      synchronized (Interruption.this) {
        while (!isDone && signal.isEmpty()) {
          Interruption.this.wait();
        }
        return isDone;
      }
    }

    private boolean awaitEnd(Duration limit) throws InterruptedException {
      long endNanos = System.nanoTime() + limit.toNanos();
      synchronized (Interruption.this) {
        while (!isDone) {
          long leftMillis = Duration.ofNanos(endNanos - System.nanoTime()).toMillis();
          if (leftMillis <= 0) {
            return false;
          }
          Interruption.this.wait(leftMillis);
        }
        return true;
      }
    }

    private T result() throws E {
      synchronized (Interruption.this) {
        switch (failure) {
          case null -> {}
          case Error error -> throw error;
          case RuntimeException unchecked -> throw unchecked;
          default -> {
            @SuppressWarnings("unchecked") // work throws no other checked exception
            E checked = (E) failure;
            throw checked;
          }
        }
        return Objects.requireNonNull(value);
      }
    }
  }
}
