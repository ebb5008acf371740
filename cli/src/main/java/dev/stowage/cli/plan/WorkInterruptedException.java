package dev.stowage.cli.plan;

/** Work that was not begun, or was abandoned, because the user interrupted the command. */
public final class WorkInterruptedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  WorkInterruptedException() {
    super("interrupted");
  }
}
