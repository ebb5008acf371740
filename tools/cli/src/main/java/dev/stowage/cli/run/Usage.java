package dev.stowage.cli.run;

import dev.stowage.pages.text.Text;
import java.util.Collection;
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

  /**
   * Rejects options that are given.
   *
   * @param reason the rest of a sentence that starts with the option
   */
  public static void reject(CommandSpec spec, Collection<String> options, String reason) {
    for (String option : options) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw error(spec, "%s %s; omit it", option, reason);
      }
    }
  }

  static String text(String format, Object first, Object... others) {
    Object[] arguments = Stream.concat(Stream.of(first), Stream.of(others)).toArray();
    return Text.of(format, arguments);
  }
}
