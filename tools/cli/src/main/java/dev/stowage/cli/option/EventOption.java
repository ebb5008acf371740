package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** The option for a moment of traces other than the peak. */
public final class EventOption {

  @Option(
      names = "--at",
      order = ShortHelp.RARE,
      paramLabel = "EVENT",
      converter = WholeNumberConverter.class,
      description = {
        "Show the memory after the event with this number instead of at the",
        "peak. The first event has number 1; 0 is the moment before it."
      })
  private Optional<Long> at = Optional.empty();

  /** {@return the number of the event; empty for the peak} */
  public OptionalLong event() {
    return at.map(OptionalLong::of).orElse(OptionalLong.empty());
  }
}
