package dev.stowage.cli.input;

import java.util.OptionalLong;

/** Whole numbers in texts: ASCII digits, behind a minus sign if the number is negative. */
public final class WholeNumber {

  private WholeNumber() {}

  /** {@return the number of a text; empty if the text is not a number of 64 bits} */
  public static OptionalLong parse(String text) {
    // parseLong also accepts a plus sign and the digits of all scripts.
    if (text.startsWith("+") || text.chars().anyMatch(c -> c > '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
