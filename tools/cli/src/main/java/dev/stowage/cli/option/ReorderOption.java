package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import picocli.CommandLine.Option;

/** The option of commands that search for an order of operators. */
public final class ReorderOption {

  @Option(
      names = "--reorder",
      order = ShortHelp.RARE,
      description = {
        "Search for an order of the operators of a model that needs less",
        "memory, and compare it with that of the file. Operators with side",
        "effects, such as random numbers, keep their order."
      })
  private boolean isReordered;

  public boolean isReordered() {
    return isReordered;
  }
}
