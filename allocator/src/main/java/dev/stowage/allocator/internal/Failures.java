package dev.stowage.allocator.internal;

import java.util.ArrayList;
import java.util.List;

/** The failures of actions; each action is attempted, even if earlier ones failed. */
public final class Failures {

  private final List<RuntimeException> failures = new ArrayList<>(0);

  /** Creates an empty collection of failures. */
  public Failures() {}

  /** Runs an action and keeps its failure. */
  public void attempt(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException failure) {
      failures.add(failure);
    }
  }

  /** Adds the failures to another one, as suppressed. */
  public void suppressIn(Throwable other) {
    failures.forEach(other::addSuppressed);
  }

  /** Throws the first failure, to which the others are added as suppressed; returns if none is. */
  public void throwFirst() {
    if (!failures.isEmpty()) {
      RuntimeException first = failures.removeFirst();
      suppressIn(first);
      throw first;
    }
  }
}
