package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import java.io.IOException;
import java.io.Writer;

/** A way to print reports on plans. */
public sealed interface CheckFormat permits CheckTable, CheckJson {

  /**
   * Prints a report, behind those before it.
   *
   * @param report what to print
   * @param out where to
   * @throws IOException if that cannot be written
   */
  void print(CheckReport report, Writer out) throws IOException;

  /** {@return a table for people} */
  static CheckFormat table() {
    return new CheckTable();
  }

  /** {@return a line of JSON a report} */
  static CheckFormat json() {
    return new CheckJson();
  }
}
