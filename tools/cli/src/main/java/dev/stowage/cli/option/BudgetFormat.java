package dev.stowage.cli.option;

import dev.stowage.cli.report.AnswerPrinter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The option for the format of budgets. */
public final class BudgetFormat {

  @Option(
      names = "--format",
      paramLabel = "F",
      description = {
        "table (the default), json (a line for each shape) or k8s (the",
        "resources of a container)."
      })
  private Format format = Format.table;

  @Mixin private TerminalWidth width = new TerminalWidth();

  private enum Format {
    table,
    json,
    k8s
  }

  /** {@return true if people read the results} */
  public boolean isTable() {
    return format == Format.table;
  }

  /** {@return true if the results are the resources of containers} */
  public boolean isKubernetes() {
    return format == Format.k8s;
  }

  /** {@return a printer of the chosen format} */
  public AnswerPrinter printer() {
    return new AnswerPrinter(
        switch (format) {
          case table, k8s -> AnswerPrinter.Format.TABLE;
          case json -> AnswerPrinter.Format.JSON;
        },
        width.columns());
  }
}
