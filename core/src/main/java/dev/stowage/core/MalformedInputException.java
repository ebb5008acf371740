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
}
