package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import picocli.CommandLine.Option;

/** The option of every command that prints tables. */
public final class TerminalWidth {

  private static final int DEFAULT_COLUMNS = 80;

  @Option(
      names = "--wide",
      order = ShortHelp.RARE,
      description = "Print tables in full, even if they are wider than the terminal.")
  private boolean isWide;

  /** {@return the number of columns for tables} */
  public int columns() {
    // The start script sets the property if the standard output is a terminal.
    return isWide ? Integer.MAX_VALUE : Integer.getInteger("stowage.columns", DEFAULT_COLUMNS);
  }
}
