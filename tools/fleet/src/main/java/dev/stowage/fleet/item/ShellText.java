package dev.stowage.fleet.item;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words as a shell reads them. */
final class ShellText {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./\\[\\]-]+");

  private ShellText() {}

  /** {@return the words, separated by blanks, with quotes where a shell needs them} */
  static String of(List<String> words) {
    return words.stream().map(ShellText::of).collect(Collectors.joining(" "));
  }

  private static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
