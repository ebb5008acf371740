package dev.stowage.cli.plan;

import java.util.function.Supplier;

/**
 * A result and the time that it took.
 *
 * @param value the result
 * @param seconds the time in seconds
 * @param <T> the result
 */
public record TimedResult<T>(T value, double seconds) {

  /**
   * {@return the result of work, with its time}
   *
   * @param <T> its result
   */
  public static <T> TimedResult<T> of(Supplier<T> work) {
    long start = System.nanoTime();
    T value = work.get();
    return new TimedResult<>(value, (System.nanoTime() - start) / 1e9);
  }
}
