package dev.stowage.plan;

import java.io.IOException;
import java.util.Optional;

/**
 * Thrown if a file, or a part of one, violates its format.
 *
 * <p>The message has the form {@code SOURCE: PLACE: PROBLEM}, without {@code PLACE} if the problem
 * concerns the whole file. The problem ends with the expected content. The reader that throws this
 * exception returns nothing of the file.
 *
 * @serial exclude
 */
public final class MalformedFileException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int MAX_EXCERPT_CHARS = 60;

  private final String source;
  private final String place; // empty for the whole file

  /**
   * Creates an exception for a problem at a place in a file.
   *
   * @param source the file, as the reader names it
   * @param place where in the file: {@code "line 17"}, {@code "byte 4"}, {@code "operator 3"}
   * @param problem the content found there, and the content expected
   * @throws IllegalArgumentException if {@code place} is empty
   */
  public MalformedFileException(String source, String place, String problem) {
    super(source + ": " + place + ": " + problem);
    if (place.isEmpty()) {
      throw new IllegalArgumentException("place must not be empty: source=" + source);
    }
    this.source = source;
    this.place = place;
  }

  /**
   * Creates an exception for a problem that concerns a whole file.
   *
   * @param source the file, as the reader names it
   * @param problem the content found, and the content expected
   */
  public MalformedFileException(String source, String problem) {
    super(source + ": " + problem);
    this.source = source;
    place = "";
  }

  /** {@return the file, as the reader names it} */
  public String source() {
    return source;
  }

  /**
   * {@return the place in the file, such as "line 17"; empty if the problem concerns the whole
   * file}
   */
  public Optional<String> place() {
    return place.isEmpty() ? Optional.empty() : Optional.of(place);
  }

  /**
   * {@return the first 60 characters of a text, with question marks for control characters}
   *
   * <p>Messages quote the content of files with this method. A longer text ends with an ellipsis.
   *
   * @param text the content to quote
   */
  public static String excerpt(String text) {
    int end = Math.min(text.length(), MAX_EXCERPT_CHARS);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    String printable = text.substring(0, end).replaceAll("\\p{Cc}", "?");
    return end == text.length() ? printable : printable + "…";
  }
}
