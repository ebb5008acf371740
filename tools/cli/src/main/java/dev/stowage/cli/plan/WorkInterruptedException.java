package dev.stowage.cli.plan;

/** Thrown if work was not started or was abandoned because the user interrupted the command. */
public final class WorkInterruptedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public WorkInterruptedException() {
    super("interrupted");
  }
}
