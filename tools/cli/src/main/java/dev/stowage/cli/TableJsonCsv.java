package dev.stowage.cli;

import picocli.CommandLine.Option;

/** The option of commands that print tables, JSON or CSV. */
final class TableJsonCsv {

  /** A format of results. */
  enum Format {
    table,
    json,
    csv
  }

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default), or json or csv with one line for each result.")
  private Format format = Format.table;

  Format format() {
    return format;
  }
}
