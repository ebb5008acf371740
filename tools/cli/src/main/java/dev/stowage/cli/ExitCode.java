package dev.stowage.cli;

/** The exit codes of commands. */
final class ExitCode {

  static final int DONE = 0;

  /** A bug in Stowage, too little memory, or output that cannot be written. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** An input cannot be read or planned. */
  static final int BAD_INPUT = 3;

  /**
   * No plan within the capacity, a plan that is not valid, or requests that failed under a limit.
   */
  static final int NO_PLAN = 4;

  /** Figures that are worse than those of a baseline. */
  static final int WORSE = 5;

  private ExitCode() {}

  /** {@return the code of a command that a signal ended, as in shells} */
  static int interrupted(int signal) {
    return 128 + signal;
  }

  /**
   * {@return the graver of two codes: FAILED, then BAD_INPUT, then NO_PLAN, then WORSE, then DONE}
   */
  static int graver(int a, int b) {
    if (a == DONE || b == DONE) {
      return a + b;
    }
    return Math.min(a, b);
  }
}
