package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import java.io.IOException;
import java.io.Writer;

/** A way to print what came of a trace. */
public interface ReplayFormat {

  /**
   * Prints a report.
   *
   * @param report the report
   * @param out where to
   * @throws IOException if it cannot be written
   */
  void print(ReplayReport report, Writer out) throws IOException;

  /** {@return one line of JSON} */
  static ReplayFormat json() {
    return new ReplayJson();
  }

  /** {@return a table for people} */
  static ReplayFormat table() {
    return new ReplayTable();
  }
}
