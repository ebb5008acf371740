package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;

/** Messages on texts that are not JSON, without the names of parser settings. */
public final class JsonErrors {

  /** The limits of the parser, which rejects texts that exceed them. */
  public static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(500)
          .maxNumberLength(1_000)
          .maxNameLength(50_000)
          .maxStringLength(100_000_000)
          .build();

  /** The parser's note on the start of a list or object, which lacks the place. */
  private static final Pattern START_MARKER =
      Pattern.compile(" \\((start marker|for \\w+ starting) at .*");

  /** The parser's advice to change its settings. */
  private static final Pattern ADVICE =
      Pattern.compile(
          ": enable `[^`]*` to allow| \\((consider enabling|not recognized)[^)]*\\)"
              + "| require enabling `[^`]*`");

  private JsonErrors() {}

  /** {@return the problem, for a message that starts with the place} */
  public static String sentence(JacksonException e) {
    String message = e.getOriginalMessage();
    if (e instanceof StreamConstraintsException) {
      return beyondLimit(message);
    }
    String plain = START_MARKER.matcher(ADVICE.matcher(message).replaceAll("")).replaceFirst("");
    return "is not JSON: " + plain;
  }

  private static String beyondLimit(String message) {
    if (message.startsWith("Document nesting depth")) {
      return atMost("lists and objects are nested", LIMITS.getMaxNestingDepth(), "levels deep");
    }
    if (message.startsWith("Number")) {
      return atMost("a number has", LIMITS.getMaxNumberLength(), "characters");
    }
    if (message.startsWith("Name")) {
      return atMost("a key has", LIMITS.getMaxNameLength(), "characters");
    }
    if (message.startsWith("String")) {
      return atMost("a text has", LIMITS.getMaxStringLength(), "characters");
    }
    return "a part of the text is too long, expected a shorter one";
  }

  private static String atMost(String subject, int limit, String unit) {
    return Text.of("%s more than %,d %s, expected at most that", subject, limit, unit);
  }
}
