package dev.stowage.cli.option;

import dev.stowage.cli.report.AnswerPrinter;
import picocli.CommandLine.Option;

/** The option of commands that print tables, JSON or CSV. */
public final class TableJsonCsv {

  private enum Format {
    table,
    json,
    csv
  }

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default), or json or csv with one line for each result.")
  private Format format = Format.table;

  /** {@return true if people read the results} */
  public boolean isTable() {
    return format == Format.table;
  }

  /** {@return true if the results are CSV} */
  public boolean isCsv() {
    return format == Format.csv;
  }

  /** {@return a printer of the chosen format} */
  public AnswerPrinter printer() {
    return AnswerPrinter.of(
        switch (format) {
          case table -> AnswerPrinter.Format.TABLE;
          case json -> AnswerPrinter.Format.JSON;
          case csv -> AnswerPrinter.Format.CSV;
        });
  }
}
