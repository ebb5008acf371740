package dev.stowage.cli;

import java.util.regex.Pattern;

/** A word as a user types it, so that a message's advice can be copied. */
final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /** {@return a word, in quotes where a shell would take it for something else} */
  static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
