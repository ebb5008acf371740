package dev.stowage.cli.run;

import dev.stowage.pages.text.Text;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The errors of a command line. */
public final class Usage {

  private Usage() {}

  public static ParameterException error(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** {@return the error of a command with a formatted message} */
  public static ParameterException error(
      CommandSpec spec, String format, Object first, Object... others) {
    return error(spec, text(format, first, others));
  }

  static String text(String format, Object first, Object... others) {
    Object[] arguments = Stream.concat(Stream.of(first), Stream.of(others)).toArray();
    return Text.of(format, arguments);
  }
}
