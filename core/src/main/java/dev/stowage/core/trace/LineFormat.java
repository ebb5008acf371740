package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;

/** A text format with one event on each line. */
interface LineFormat {

  /** {@return the first line of a file, which is compared without regard to case} */
  String header();

  /** {@return the name of the format in a summary} */
  String name();

  /**
   * Reads a line after the header and passes its event on.
   *
   * @param fields the fields of the line, as many as the header has
   */
  void read(String[] fields, String place, CheckedEvents events) throws MalformedFileException;
}
