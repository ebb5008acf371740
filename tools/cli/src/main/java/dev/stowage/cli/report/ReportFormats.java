package dev.stowage.cli.report;

import dev.stowage.cli.plan.ShapesReport;
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

  /** {@return a table of layouts for all shapes} */
  public static ReportFormat<ShapesReport> shapesTable() {
    return new ShapesTable();
  }

  /** {@return a line of JSON for the layouts of each input} */
  public static ReportFormat<ShapesReport> shapesJson() {
    return new ShapesJson();
  }

  /** {@return lines of CSV for the layouts of each input} */
  public static ReportFormat<ShapesReport> shapesCsv() {
    return new ShapesCsv();
  }

  /** {@return a line of JSON for each report} */
  public static PlanFormat planJson() {
    return new PlanJson();
  }

  /**
   * {@return a line of CSV for each plan}
   *
   * @param explains true if there are columns of the explanations
   */
  public static PlanFormat planCsv(boolean explains) {
    return new PlanCsv(explains);
  }

  /** {@return a table: one report in detail, or several side by side} */
  public static PlanFormat planTable() {
    return new PlanTable();
  }
}
