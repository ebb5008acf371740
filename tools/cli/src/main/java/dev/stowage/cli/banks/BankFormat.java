package dev.stowage.cli.banks;

import java.io.IOException;
import java.io.Writer;

/** A format of plans in several banks. */
public interface BankFormat {

  /**
   * Prints a report, also if it has no plan.
   *
   * @param report the plans
   * @param out the output
   * @throws IOException if the output cannot be written
   */
  void print(BankReport report, Writer out) throws IOException;

  /** {@return a table} */
  static BankFormat table() {
    return new BankTable();
  }

  /** {@return a line of JSON for each report} */
  static BankFormat json() {
    return new BankJson();
  }

  /** {@return a line of CSV for each plan, after a header} */
  static BankFormat csv() {
    return new BankCsv();
  }
}
