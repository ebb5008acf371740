package dev.stowage.testing;

import java.util.function.Supplier;

/** Code of a caller, outside the packages of memory. */
public final class Caller {

  private Caller() {}

  /** {@return an object that is made in a frame of this class} */
  public static <T> T make(Supplier<T> made) {
    return made.get();
  }
}
