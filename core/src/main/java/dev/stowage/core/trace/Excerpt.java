package dev.stowage.core.trace;

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
    String printable = text.substring(0, end).replaceAll("\\p{Cc}", "?");
    return end == text.length() ? printable : printable + "…";
  }
}
