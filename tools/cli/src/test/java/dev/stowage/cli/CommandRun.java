package dev.stowage.cli;

import dev.stowage.cli.plan.Interruption;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

/**
 * The result of a command line in this process.
 *
 * @param exitCode the exit code
 * @param out the standard output
 * @param err the standard error without the next command, which {@code NextCommandTest} covers
 */
public record CommandRun(int exitCode, String out, String err) {

  public CommandRun {
    err = err.replaceAll("(?m)^Next: .*\\R", "");
  }

  /**
   * {@return the run of a command}
   *
   * @param arguments the command line
   */
  public static CommandRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] args = new String[arguments.length];
    for (int i = 0; i < args.length; i++) {
      args[i] = arguments[i].toString();
    }
    int exitCode = new Program(new PrintWriter(out), new PrintWriter(err)).run(args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** {@return the run of a command on a terminal of any width} */
  static CommandRun wide(Object... arguments) {
    System.setProperty("stowage.columns", String.valueOf(Integer.MAX_VALUE));
    try {
      return of(arguments);
    } finally {
      System.clearProperty("stowage.columns");
    }
  }

  /** {@return the run of a command that receives SIGTERM before it begins} */
  static CommandRun interrupted(Object... arguments) {
    Interruption interruption = new Interruption();
    interruption.expect();
    interruption.interrupt(15);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new Program(
                InputStream.nullInputStream(),
                new PrintWriter(out),
                new PrintWriter(err),
                interruption)
            .run(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
