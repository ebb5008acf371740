package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import dev.stowage.plan.shapes.search.LayoutOptions;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of {@code stowage plan} for layouts of parts of the shapes. */
public final class BucketsOption {

  private static final int MAX_BUCKETS = 64;

  @Option(
      names = "--buckets",
      order = ShortHelp.RARE,
      paramLabel = "K",
      converter = WholeNumberConverter.class,
      description = {
        "With ranges of dimensions: divide the shapes into up to K parts, each",
        "with a layout and an arena of its own (default: 1; at most 64)."
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
   * {@return the options of searches for layouts}
   *
   * @param timeLimit the limit of a search
   * @throws ParameterException if the number of parts is out of range
   */
  public LayoutOptions layout(Duration timeLimit) {
    LayoutOptions options = LayoutOptions.defaults().withTimeLimit(timeLimit);
    if (buckets.isEmpty()) {
      return options;
    }
    long count = buckets.get();
    if (count < 1 || count > MAX_BUCKETS) {
      throw Usage.error(spec, "--buckets is %d, expected 1 to %d", count, MAX_BUCKETS);
    }
    return options.withBuckets((int) count);
  }
}
