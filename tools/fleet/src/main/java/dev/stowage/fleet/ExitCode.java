package dev.stowage.fleet;

/** The exit codes of a sweep, which are those of the other commands. */
final class ExitCode {

  static final int DONE = 0;

  /** An item that failed for another reason than its input, or output that cannot be written. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** An input cannot be read or is not valid. */
  static final int BAD_INPUT = 3;

  private ExitCode() {}

  /** {@return the code of a command that a signal ended, as in shells} */
  static int interrupted(int signal) {
    return 128 + signal;
  }

  /** {@return the graver of two codes, as for commands with several files: 1, 3, 4, 0} */
  static int graver(int a, int b) {
    return a == DONE || b == DONE ? a + b : Math.min(a, b);
  }
}
