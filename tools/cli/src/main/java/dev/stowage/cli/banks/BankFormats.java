package dev.stowage.cli.banks;

import dev.stowage.cli.report.ReportFormat;

/** The formats of plans in several banks. They also print reports without a plan. */
public final class BankFormats {

  private BankFormats() {}

  /** {@return a table} */
  public static ReportFormat<BankReport> table() {
    return new BankTable();
  }

  /** {@return a line of JSON for each report} */
  public static ReportFormat<BankReport> json() {
    return new BankJson();
  }

  /** {@return a line of CSV for each plan, after a header} */
  public static ReportFormat<BankReport> csv() {
    return new BankCsv();
  }
}
