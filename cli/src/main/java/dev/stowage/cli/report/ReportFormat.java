package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.verify.VerifyResult;
import java.io.IOException;
import java.io.Writer;

/**
 * A format of reports: a table for people, or a line of JSON for programs.
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
   * {@return the format of checked plans}
   *
   * @param isJson false for tables
   */
  static ReportFormat<CheckReport> ofChecks(boolean isJson) {
    return isJson ? new CheckJson() : new CheckTable();
  }

  /**
   * {@return the format of the devices of a machine}
   *
   * @param isJson false for tables
   */
  static ReportFormat<DeviceList> ofDevices(boolean isJson) {
    return isJson ? new DevicesJson() : new DevicesTable();
  }

  /**
   * {@return the format of replayed traces}
   *
   * @param isJson false for tables
   */
  static ReportFormat<ReplayReport> ofReplays(boolean isJson) {
    return isJson ? new ReplayJson() : new ReplayTable();
  }

  /**
   * {@return the format of verified models}
   *
   * @param isJson false for tables
   */
  static ReportFormat<VerifyResult> ofVerifications(boolean isJson) {
    return isJson ? new VerifyJson() : new VerifyTable();
  }
}
