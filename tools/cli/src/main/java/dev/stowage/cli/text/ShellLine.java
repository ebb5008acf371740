package dev.stowage.cli.text;

import dev.stowage.pages.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A command line of this program. Users can copy it. */
public final class ShellLine {

  private static final String NAME = "stowage";
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellLine() {}

  /** {@return a command with an input, options and more words} */
  public static String of(String command, String input, List<String> options, String... words) {
    // A shell word that starts with a hyphen would be an option.
    boolean isLikeOption = input.startsWith("-") && input.length() > 1;
    List<String> line = new ArrayList<>(List.of(command, isLikeOption ? "./" + input : input));
    line.addAll(options);
    line.addAll(List.of(words));
    return of(line);
  }

  /**
   * {@return a word, in quotes if it has characters with a meaning for shells}
   *
   * <p>Characters that are not safe to print are replaced, so that a shell reads another word.
   */
  public static String word(String word) {
    return PLAIN.matcher(word).matches()
        ? word
        : "'" + Printable.of(word).replace("'", "'\\''") + "'";
  }

  /** {@return the program and some words, quoted so that a shell reads the same words} */
  public static String of(List<String> words) {
    return word(program())
        + words.stream().map(word -> " " + word(word)).collect(Collectors.joining());
  }

  /**
   * {@return a clause with some words of a command line, in an environment that doubles the heap}
   */
  public static String withLargerHeap(List<String> words) {
    long gibibytes = Math.ceilDiv(2 * Runtime.getRuntime().maxMemory(), 1L << 30);
    return "run it with a larger heap: JAVA_TOOL_OPTIONS=-Xmx" + gibibytes + "g " + of(words);
  }

  /** {@return a setting; if it is a command of this program, with the path of the program} */
  public static String asStarted(String setting) {
    return asStarted(setting, program());
  }

  static String asStarted(String setting, String program) {
    return setting.startsWith(NAME + " ")
        ? word(program) + setting.substring(NAME.length())
        : setting;
  }

  /** {@return a line for readers on other machines, where the program has another path} */
  public static String forOthers(String line) {
    String started = word(program()) + " ";
    return line.startsWith(started) ? NAME + line.substring(started.length() - 1) : line;
  }

  /** {@return the program as it was started; the scripts that start it say how} */
  private static String program() {
    return System.getProperty("stowage.command", NAME);
  }
}
