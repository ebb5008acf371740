package dev.stowage.cli.report;

import java.io.IOException;
import java.io.Writer;

/**
 * A format of reports: a table for people, or a line of JSON or CSV for programs.
 *
 * @param <R> the reports
 */
public interface ReportFormat<R> {

  /**
   * Prints a report.
   *
   * @param report the report
   * @param out the output
   * @throws IOException if it cannot be written
   */
  void print(R report, Writer out) throws IOException;

  /**
   * Prints the content that follows the last report.
   *
   * @param isComplete false if the user interrupted the command before it had all reports
   * @param out the output
   * @throws IOException if it cannot be written
   */
  default void end(boolean isComplete, Writer out) throws IOException {}
}
