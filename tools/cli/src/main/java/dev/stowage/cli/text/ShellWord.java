package dev.stowage.cli.text;

import dev.stowage.pages.text.Printable;
import java.util.regex.Pattern;

/** A word of a command line in a message. Users can copy the line. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /**
   * {@return the word, in quotes if it has characters with a meaning for shells}
   *
   * <p>Characters that are not safe to print are replaced, so that a shell reads another word.
   */
  public static String of(String word) {
    return PLAIN.matcher(word).matches()
        ? word
        : "'" + Printable.of(word).replace("'", "'\\''") + "'";
  }
}
