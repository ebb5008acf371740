package dev.stowage.cli;

import picocli.CommandLine.Option;

/** The option of every command that prints tables or JSON. */
final class TableOrJson {

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default), or json with one line for each result.")
  private Format format = Format.table;

  private enum Format {
    table,
    json
  }

  boolean isJson() {
    return format == Format.json;
  }
}
