package dev.stowage.cli.failure;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words of a text around a number of bytes. Each blank stands for any white space, also for a line
 * break.
 */
final class Phrase {

  private static final String PRINTED =
      "(?<![\\w.,])(?<number>\\d{1,20}(?:\\.\\d{1,6})?)\\\\s*"
          + "(?<unit>[KMGTPE]i?B?|kB|B|bytes?)(?![A-Za-z0-9])";

  private static final String COUNT = "(?<![\\w.,])(?<number>\\d{1,20})(?![\\w]|[.,]\\d)";

  private final Pattern pattern;

  private Phrase(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * {@return a phrase}
   *
   * @param words a regular expression with one number: {@code {}} for one with a unit, or {@code #}
   *     for a count of bytes
   */
  static Phrase of(String words) {
    return new Phrase(
        Pattern.compile(
            words
                .replace(" ?", "\\s*")
                .replace(" ", "\\s+")
                .replaceAll("\\{}", Matcher.quoteReplacement(PRINTED.replace("\\\\s", "\\s")))
                .replaceAll("#", Matcher.quoteReplacement(COUNT))));
  }

  /** {@return the first number of a text in these words; empty if there is none} */
  Optional<PrintedBytes> find(String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      return Optional.empty();
    }
    boolean hasUnit = found.namedGroups().containsKey("unit");
    return Optional.of(PrintedBytes.of(found.group("number"), hasUnit ? found.group("unit") : ""));
  }
}
