package dev.stowage.cli.console;

/** The exit codes of commands. */
public final class ExitCode {

  public static final int DONE = 0;

  /** A bug in Stowage, too little memory, or output that cannot be written. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** An input cannot be read or planned. */
  public static final int BAD_INPUT = 3;

  /**
   * No plan within the capacity, a plan that is not valid, or requests that failed under a limit.
   */
  public static final int NO_PLAN = 4;

  /** Figures that are worse than in a baseline. */
  public static final int WORSE = 5;

  private ExitCode() {}

  /** {@return the code of a command that a signal ended, as in shells} */
  public static int interrupted(int signal) {
    return 128 + signal;
  }

  /**
   * {@return the graver of two codes: FAILED, then BAD_INPUT, then NO_PLAN, then WORSE, then DONE}
   */
  public static int graver(int a, int b) {
    if (a == DONE || b == DONE) {
      return a + b;
    }
    return Math.min(a, b);
  }
}
