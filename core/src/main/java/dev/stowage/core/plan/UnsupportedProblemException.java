package dev.stowage.core.plan;

/** A problem that a strategy, by its nature, cannot plan; another strategy may. */
public final class UnsupportedProblemException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  UnsupportedProblemException(String message) {
    super(message);
  }
}
