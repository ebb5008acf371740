package dev.stowage.cli.plan;

/**
 * Thrown if an input has no result with the options of the user; the message has the reason and the
 * remedy.
 */
public final class InputRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the reason, without the name of the input
   */
  public InputRefusedException(String message) {
    super(message);
  }
}
