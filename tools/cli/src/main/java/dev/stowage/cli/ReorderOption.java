package dev.stowage.cli;

import picocli.CommandLine.Option;

/** The option of commands that search for an order of operators. */
final class ReorderOption {

  @Option(
      names = "--reorder",
      description = {
        "Search for an order of the operators of a model that needs less",
        "memory, and compare it with that of the file. Operators with side",
        "effects, such as random numbers, keep their order."
      })
  private boolean isReordered;

  boolean isReordered() {
    return isReordered;
  }
}
