package dev.stowage.cli;

/** What the command's exit code says. */
final class ExitCode {

  static final int DONE = 0;

  /** Our bug, or output that could not be written. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** An input cannot be read or planned. */
  static final int BAD_INPUT = 3;

  /** No plan within the capacity asked for, or a plan that is not valid. */
  static final int NO_PLAN = 4;

  private ExitCode() {}

  /** {@return the code of a command that a signal ended, as shells know it} */
  static int interrupted(int signal) {
    return 128 + signal;
  }

  /** {@return the graver of two: a failure of ours, then an input's, then a capacity's} */
  static int graver(int a, int b) {
    if (a == DONE || b == DONE) {
      return a + b;
    }
    return Math.min(a, b);
  }
}
