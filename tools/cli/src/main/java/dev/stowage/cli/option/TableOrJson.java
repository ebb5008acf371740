package dev.stowage.cli.option;

import dev.stowage.cli.report.AnswerPrinter;
import picocli.CommandLine.Option;

/** The format of commands that print tables or JSON, but not CSV. */
public final class TableOrJson {

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default), or json with one line for each result.")
  private Format format = Format.table;

  private enum Format {
    table,
    json
  }

  /** {@return a printer of the chosen format} */
  public AnswerPrinter printer() {
    return AnswerPrinter.of(
        format == Format.json ? AnswerPrinter.Format.JSON : AnswerPrinter.Format.TABLE);
  }
}
