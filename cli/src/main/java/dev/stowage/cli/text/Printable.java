package dev.stowage.cli.text;

import java.util.regex.Pattern;

/** Text that may be anything, such as a file's name, made fit to be printed on a line. */
public final class Printable {

  /** Controls, ends of lines, and what turns the direction of text around. */
  private static final Pattern UNFIT =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

  private Printable() {}

  /**
   * {@return the text with a question mark for each character that would do something}
   *
   * @param text any text
   */
  public static String of(String text) {
    return UNFIT.matcher(text).replaceAll("?");
  }
}
