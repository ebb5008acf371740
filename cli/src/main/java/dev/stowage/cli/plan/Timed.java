package dev.stowage.cli.plan;

import java.util.function.Supplier;

/** A result and the time that it took. */
record Timed<T>(T value, double seconds) {

  static <T> Timed<T> of(Supplier<T> work) {
    long start = System.nanoTime();
    T value = work.get();
    return new Timed<>(value, (System.nanoTime() - start) / 1e9);
  }
}
