package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;

/** The reader of one file of a {@link HeaderFormat}. */
interface FieldsReader {

  /**
   * Reads a line after the header and passes its event on.
   *
   * @param fields the fields of the line, as many as the header has; the array is valid only during
   *     the call
   */
  void read(String[] fields, String place) throws MalformedFileException;
}
