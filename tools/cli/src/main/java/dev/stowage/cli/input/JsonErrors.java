package dev.stowage.cli.input;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** Messages on texts that are not JSON, without the names of parser settings. */
public final class JsonErrors {

  /** The parser's notes on places in the text, and its advice to change its settings. */
  private static final Pattern NOTES =
      Pattern.compile(
          " \\((start marker|for \\w+ starting) at .*"
              + "|: enable `[^`]*` to allow| \\((consider enabling|not recognized)[^)]*\\)"
              + "|require enabling `[^`]*`|, from `[^`]*`");

  private JsonErrors() {}

  /** {@return the problem, for a message that starts with the place} */
  public static String sentence(JacksonException e) {
    return "is not JSON: " + NOTES.matcher(e.getOriginalMessage()).replaceAll("");
  }
}
