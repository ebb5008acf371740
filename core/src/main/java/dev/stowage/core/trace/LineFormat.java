package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;

/** A format with one event in each line. */
interface LineFormat {

  /** {@return the first line of a file, in which case does not matter} */
  String header();

  /** {@return the name in a summary} */
  String name();

  /**
   * Reads a line after the header.
   *
   * @param fields the fields of the line, as many as the header has
   */
  void read(String[] fields, String place, CheckedEvents events) throws MalformedFileException;
}
