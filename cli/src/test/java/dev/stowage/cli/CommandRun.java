package dev.stowage.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A command line that was run in this process.
 *
 * @param exitCode what it exits with
 * @param out what it says on the standard output
 * @param err what it says on the standard error
 */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] args = new String[arguments.length];
    for (int i = 0; i < args.length; i++) {
      args[i] = arguments[i].toString();
    }
    int exitCode = Stowage.run(new PrintWriter(out), new PrintWriter(err), args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
