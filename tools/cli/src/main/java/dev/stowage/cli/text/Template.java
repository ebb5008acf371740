package dev.stowage.cli.text;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with names of values in braces. A part in brackets is left out if one of its values is not
 * known.
 */
public final class Template {

  private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]]*)]");
  private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

  private Template() {}

  /**
   * {@return the text with its values}
   *
   * @param values the value of a name; empty if it is not known
   */
  public static String fill(String template, Function<String, Optional<String>> values) {
    String text =
        OPTIONAL
            .matcher(template)
            .replaceAll(part ->
                NAME.matcher(part.group(1))
                        .results()
                        .allMatch(name -> values.apply(name.group(1)).isPresent())
                    ? Matcher.quoteReplacement(part.group(1))
                    : "");
    return NAME.matcher(text).replaceAll(name -> value(name, values));
  }

  private static String value(MatchResult name, Function<String, Optional<String>> values) {
    return Matcher.quoteReplacement(values.apply(name.group(1)).orElse("an unknown size"));
  }
}
