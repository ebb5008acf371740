package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the number of the event; empty for the peak}
   *
   * @throws ParameterException if it is negative
   */
  public OptionalLong event() {
    if (at.orElse(0L) < 0) {
      throw Usage.error(spec, "--at is %d, expected 0 or more", at.orElseThrow());
    }
    return at.map(OptionalLong::of).orElse(OptionalLong.empty());
  }
}
