package dev.stowage.core;

import java.io.IOException;

/**
 * A file, or a part of one, that is not what its format says.
 *
 * <p>Its message reads {@code SOURCE:PLACE: what is wrong, what was expected}. Nothing of the file
 * has been taken over when it is thrown.
 */
public final class MalformedInputException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int LONGEST_EXCERPT = 60;

  /**
   * An error somewhere in a file.
   *
   * @param source the file, as its reader names it
   * @param place where in the file: {@code "line 17"}, {@code "byte 4"}, {@code "operator 3"}
   * @param problem what is wrong there, and what was expected
   */
  public MalformedInputException(String source, String place, String problem) {
    super(source + ": " + place + ": " + problem);
  }

  /**
   * An error of a file as a whole.
   *
   * @param source the file, as its reader names it
   * @param problem what is wrong with it, and what was expected
   */
  public MalformedInputException(String source, String problem) {
    super(source + ": " + problem);
  }

  /**
   * {@return the start of a text that may be anything, fit for a message: up to 60 characters, and
   * question marks for control characters}
   *
   * @param text what a file has at some place
   */
  public static String excerpt(String text) {
    int end = Math.min(text.length(), LONGEST_EXCERPT);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    String printable = text.substring(0, end).replaceAll("\\p{Cc}", "?");
    return end == text.length() ? printable : printable + "…";
  }
}
