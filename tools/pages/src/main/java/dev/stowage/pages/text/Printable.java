package dev.stowage.pages.text;

import java.util.regex.Pattern;

/** Text from files and file names that is safe to print on one line of a terminal. */
public final class Printable {

  /** Control characters, line ends, and characters that change the direction of text. */
  private static final Pattern UNFIT =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

  private Printable() {}

  /** {@return the text with a question mark for each character that is not safe} */
  public static String of(String text) {
    return UNFIT.matcher(text).replaceAll("?");
  }
}
