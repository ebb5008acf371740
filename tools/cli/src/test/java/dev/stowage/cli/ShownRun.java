package dev.stowage.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The result of a command line as a guide shows it.
 *
 * @param exitCode the exit code
 * @param text both outputs, in the order in which a terminal shows them; the script of the checkout
 *     starts the next command
 */
record ShownRun(int exitCode, String text) {

  /**
   * {@return the run of a command as a guide writes it, such as {@code explain a.txt | head -1}}
   *
   * @param command the words, separated by a space each
   */
  static ShownRun ofLine(String command) {
    String[] parts = command.split(" \\| head -", 2);
    ShownRun run = of((Object[]) parts[0].split(" ", -1));
    if (parts.length == 1) {
      return run;
    }
    return new ShownRun(run.exitCode(), head(run.text(), parts[1]));
  }

  /**
   * {@return the first lines of an output, as of head}
   *
   * @param count how many lines
   */
  static String head(String output, String count) {
    return output
        .lines()
        .limit(Integer.parseInt(count))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /**
   * {@return the run of a command}
   *
   * @param arguments the command line
   */
  static ShownRun of(Object... arguments) {
    StringWriter shown = new StringWriter();
    int exitCode =
        new Program(new PrintWriter(shown), new PrintWriter(shown))
            .run(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    return new ShownRun(exitCode, shown.toString().replace("Next: stowage ", "Next: ./stowage "));
  }
}
