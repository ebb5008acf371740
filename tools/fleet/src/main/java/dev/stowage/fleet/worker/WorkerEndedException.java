package dev.stowage.fleet.worker;

import java.util.List;

/** The end of a worker process before it answered. */
final class WorkerEndedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;
  private final boolean isTimeout;

  /**
   * Creates an exception.
   *
   * @param message the reason
   * @param lines the last lines that the process printed
   * @param isTimeout true if the process was ended because of a limit of time
   */
  WorkerEndedException(String message, List<String> lines, boolean isTimeout) {
    super(message);
    this.lines = List.copyOf(lines);
    this.isTimeout = isTimeout;
  }

  /** {@return the last lines that the process printed} */
  List<String> lines() {
    return lines;
  }

  boolean isTimeout() {
    return isTimeout;
  }
}
