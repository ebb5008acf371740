package dev.stowage.cli.report;

import dev.stowage.cli.plan.PlanReport;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** A format of plans. */
public interface PlanFormat {

  /**
   * Prints reports.
   *
   * @param reports the reports, in the order of the files
   * @param out the output
   * @throws IOException if the output cannot be written
   */
  void print(List<PlanReport> reports, Writer out) throws IOException;

  /**
   * {@return true if the reports are printed together, because a line has values of all files}
   *
   * @param fileCount the number of files
   */
  default boolean comparesFiles(int fileCount) {
    return false;
  }
}
