package dev.stowage.cli.plan;

/** Thrown if the options of the user contradict an input; the message has the reason. */
public final class InputRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a contradiction.
   *
   * @param message the reason, without the name of the input
   */
  public InputRefusedException(String message) {
    super(message);
  }
}
