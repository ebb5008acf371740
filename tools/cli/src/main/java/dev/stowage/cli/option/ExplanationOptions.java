package dev.stowage.cli.option;

import java.util.OptionalLong;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code stowage replay} for an explanation of the memory in use. */
public final class ExplanationOptions {

  @Option(
      names = "--explain",
      description = {
        "Print the holders of memory at the peak of requested bytes, or --at an",
        "event, by line of code, stack, tag and stream; the blocks that keep",
        "regions from being released; and the largest holes at the worst",
        "failure."
      })
  private boolean explain;

  @Mixin private EventOption at = new EventOption();

  /** {@return true if an explanation is requested} */
  public boolean isGiven() {
    return explain || at.event().isPresent();
  }

  /** {@return the number of the event; empty for the peak of requested bytes} */
  public OptionalLong event() {
    return at.event();
  }
}
