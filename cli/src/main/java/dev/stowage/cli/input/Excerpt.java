package dev.stowage.cli.input;

import dev.stowage.cli.text.Printable;

/** The start of a text that may be anything, fit for a message. */
final class Excerpt {

  private static final int LONGEST = 60;

  private Excerpt() {}

  /** {@return up to 60 characters of a text, question marks for what is not to be printed} */
  static String of(String text) {
    int end = Math.min(text.length(), LONGEST);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    String printable = Printable.of(text.substring(0, end));
    return end == text.length() ? printable : printable + "…";
  }
}
