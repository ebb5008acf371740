package dev.stowage.cli.report;

import dev.stowage.cli.plan.PlanReport;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** A way to print reports. */
public interface PlanFormat {

  /**
   * Prints reports.
   *
   * @param reports the reports, in the order of the files
   * @param out where to
   * @throws IOException if it cannot be written
   */
  void print(List<PlanReport> reports, Writer out) throws IOException;

  /**
   * {@return whether reports must be printed together, as each line is of them all}
   *
   * @param fileCount how many files were given
   */
  default boolean comparesFiles(int fileCount) {
    return false;
  }

  /** {@return one line of JSON a report} */
  static PlanFormat json() {
    return new PlanJson();
  }

  /**
   * {@return one line of CSV a plan}
   *
   * @param explains whether there are columns of the explanations
   */
  static PlanFormat csv(boolean explains) {
    return new PlanCsv(explains);
  }

  /** {@return a table for people: one report in detail, or several side by side} */
  static PlanFormat table() {
    return new PlanTable();
  }
}
