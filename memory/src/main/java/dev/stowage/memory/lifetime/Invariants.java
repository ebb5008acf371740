package dev.stowage.memory.lifetime;

import java.util.function.Supplier;

/** The checks of invariants, for tests. */
public final class Invariants {

  private Invariants() {}

  /**
   * Checks an invariant.
   *
   * @param holds true if the invariant holds
   * @param broken the label of the invariant, and how it is broken
   * @param where the object that breaks it
   * @throws AssertionError if {@code !holds}
   */
  public static void check(boolean holds, String broken, Supplier<?> where) {
    if (!holds) {
      throw new AssertionError(broken + ": " + where.get());
    }
  }
}
