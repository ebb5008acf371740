package dev.stowage.cli.plan;

/** An input that cannot be planned as it was asked for; its message says why. */
public final class InputRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * A refusal.
   *
   * @param message why, without the input's name
   */
  public InputRefusedException(String message) {
    super(message);
  }
}
