package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.TuningReport;

/** The formats of all reports. */
public final class ReportFormats {

  private ReportFormats() {}

  /** {@return a table for each replayed trace} */
  public static ReportFormat<ReplayReport> replayTable() {
    return new ReplayTable();
  }

  /** {@return one table of all replayed traces} */
  public static ReportFormat<ReplayReport> replaysTable() {
    return new ReplaysTable();
  }

  /** {@return a line of JSON for each replayed trace} */
  public static ReportFormat<ReplayReport> replayJson() {
    return new ReplayJson();
  }

  /** {@return a line of CSV for each replayed trace} */
  public static ReportFormat<ReplayReport> replayCsv() {
    return new ReplayCsv();
  }

  /** {@return a table of settings for each trace} */
  public static ReportFormat<TuningReport> tuningTable() {
    return new TuningTable();
  }

  /** {@return a line of JSON for the settings of each trace} */
  public static ReportFormat<TuningReport> tuningJson() {
    return new TuningJson();
  }

  /** {@return lines of CSV for the settings of each trace} */
  public static ReportFormat<TuningReport> tuningCsv() {
    return new TuningCsv();
  }

  /**
   * {@return the format of settings for several traces}
   *
   * @param isJson false for tables
   */
  public static ReportFormat<CommonReport> commonTunings(boolean isJson) {
    return isJson ? new CommonJson() : new CommonTable();
  }
}
