package dev.stowage.fleet.worker;

import java.io.IOException;

/** A machine on which no worker can be started. The message has the reason and the remedy. */
public final class WorkerStartException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the reason and the remedy
   */
  public WorkerStartException(String message) {
    super(message);
  }
}
