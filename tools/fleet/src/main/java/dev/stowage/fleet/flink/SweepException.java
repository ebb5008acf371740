package dev.stowage.fleet.flink;

/** A failure of a whole sweep, whose message is complete for the user. */
public final class SweepException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates a failure without a cause. */
  public SweepException(String message) {
    super(message);
  }

  /** Creates a failure. */
  public SweepException(String message, Throwable cause) {
    super(message, cause);
  }
}
