package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A reader of assignments of environment variables, as lines of a shell have them.
 *
 * <p>Blanks, commas, semicolons and ends of lines separate assignments, except in quotes. The word
 * {@code export} has no meaning. The last assignment of a variable counts.
 */
final class EnvironmentText {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String SEPARATORS = " \t\r\n,;\\";

  private EnvironmentText() {}

  /**
   * {@return the values by the names of the variables, in the order of the text}
   *
   * @throws IllegalArgumentException if the text has other words, or a quote without its end
   */
  static Map<String, String> read(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : words(text)) {
      int equals = word.indexOf('=');
      if (equals >= 0 && NAME.matcher(word.substring(0, equals)).matches()) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      } else if (!word.equals("export")) {
        throw new IllegalArgumentException(
            "'"
                + word
                + "' is not an assignment, expected one such as"
                + " XLA_PYTHON_CLIENT_PREALLOCATE=false");
      }
    }
    return values;
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote == 0 ? c : 0;
      } else if (quote == 0 && SEPARATORS.indexOf(c) >= 0) {
        add(word, words);
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("the settings have a quote without its end: " + text);
    }
    add(word, words);
    return words;
  }

  private static void add(StringBuilder word, List<String> words) {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }
}
