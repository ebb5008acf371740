package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;

/** A format with an event a line. */
interface LineFormat {

  /** {@return what a file's first line is, but for upper and lower case} */
  String header();

  /** {@return what a summary calls it} */
  String name();

  /**
   * Reads a line behind the header.
   *
   * @param fields what is between its commas, as many as the header has
   */
  void read(String[] fields, String place, CheckedEvents events) throws MalformedFileException;
}
