package dev.stowage.cli.plan;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
  private final CompletableFuture<Integer> signal = new CompletableFuture<>();
  private volatile boolean isExpected;

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
  public void expect() {
    isExpected = true;
  }

  /**
   * Asks the command to end.
   *
   * @return false if the command does not end itself, because it did not declare that or because
   *     this is not the first signal; the caller then ends the process
   */
  public boolean interrupt(int number) {
    return isExpected && signal.complete(number);
  }

  /** {@return true if the user interrupted the command} */
  public boolean isInterrupted() {
    return signal.isDone();
  }

  /** {@return the number of the signal that interrupted the command} */
  public OptionalInt signal() {
    return signal.isDone() ? OptionalInt.of(signal.join()) : OptionalInt.empty();
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
    return run(work, () -> {}, Duration.ZERO);
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
    if (isInterrupted()) {
      cancel.run();
    }
    return run(work, cancel, cancelTimeout);
  }

  private <T, E extends Exception> T run(Work<T, E> work, Runnable cancel, Duration limit)
      throws E {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("stowage-work")
            .start(() -> {
              try {
                result.complete(work.run());
              } catch (Throwable e) { // the waiting thread throws it
                result.completeExceptionally(e);
              }
            });
    try {
      CompletableFuture.anyOf(result, signal).get();
      if (!result.isDone()) {
        cancel.run();
      }
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      @SuppressWarnings("unchecked") // work throws no other checked exception
      E failure = (E) failure(e);
      throw failure;
    } catch (TimeoutException e) {
      throw new WorkInterruptedException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkInterruptedException();
    } finally {
      thread.interrupt(); // ends abandoned work that reacts to interrupts
    }
  }

  /** {@return the checked exception of work, or throws its unchecked one} */
  private static Exception failure(ExecutionException e) {
    return switch (Objects.requireNonNull(e.getCause())) {
      case Error error -> throw error;
      case RuntimeException unchecked -> throw unchecked;
      case Exception checked -> checked;
      default -> throw new AssertionError(e);
    };
  }
}
