package dev.stowage.cli.text;

import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A word of a command line in a message, which users can copy. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /**
   * {@return the word, in quotes if it has characters with a meaning for shells}
   *
   * <p>Characters that are not safe to print are escaped as in {@code $'a\nb'}, which Bash and Zsh
   * read.
   */
  public static String of(String word) {
    if (!Printable.of(word).equals(word)) {
      return "$'"
          + word.codePoints().mapToObj(ShellWord::escaped).collect(Collectors.joining())
          + "'";
    }
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static String escaped(int character) {
    String text = Character.toString(character);
    if (!Printable.of(text).equals(text)) {
      return Text.of("\\u%04x", character);
    }
    return text.equals("'") || text.equals("\\") ? "\\" + text : text;
  }
}
