package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of {@code stowage plan} for plans of parts of the shapes. */
public final class BucketsOption {

  private static final int MAX_BUCKETS = 64;

  @Option(
      names = "--buckets",
      order = ShortHelp.RARE,
      paramLabel = "K",
      converter = WholeNumberConverter.class,
      description = {
        "With ranges of dimensions: divide the shapes into up to K parts, each",
        "with a plan and an arena of its own (default: 1; at most 64)."
      })
  private Optional<Long> buckets = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  public boolean isGiven() {
    return buckets.isPresent();
  }

  /** Adds the option if it is given. */
  public void addTo(RecordedOptions recorded) {
    buckets.ifPresent(count -> recorded.add("--buckets", count));
  }

  /**
   * {@return the most parts}
   *
   * @throws ParameterException if the number is out of range
   */
  int count() {
    long count = buckets.orElse(1L);
    if (count < 1 || count > MAX_BUCKETS) {
      throw Usage.error(spec, "--buckets is %d, expected 1 to %d", count, MAX_BUCKETS);
    }
    return (int) count;
  }
}
