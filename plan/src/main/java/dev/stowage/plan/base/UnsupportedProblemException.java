package dev.stowage.plan.base;

/** Thrown by a planner for a problem that its algorithm does not support; another one may. */
public final class UnsupportedProblemException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a problem that another planner may support.
   *
   * @param message the name of the planner, and the part of the problem that it does not support
   */
  public UnsupportedProblemException(String message) {
    super(message);
  }
}
