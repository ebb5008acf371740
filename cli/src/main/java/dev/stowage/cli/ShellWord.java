package dev.stowage.cli;

import java.util.regex.Pattern;

/** A word of a command line in a message, which users can copy. */
final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /** {@return the word, in quotes if it has characters with a meaning for shells} */
  static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
