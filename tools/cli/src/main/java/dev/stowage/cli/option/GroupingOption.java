package dev.stowage.cli.option;

import dev.stowage.trace.explain.Grouping;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for the groups of allocations. */
public final class GroupingOption {

  private enum By {
    stack(Grouping.STACK),
    line(Grouping.LINE),
    tag(Grouping.TAG),
    size(Grouping.SIZE);

    private final Grouping grouping;

    By(Grouping grouping) {
      this.grouping = grouping;
    }
  }

  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = {
        "Group allocations by stack, by line of the user's code, by tag or by",
        "size (default: stack if both traces have call stacks, otherwise tag if",
        "both have tags, otherwise size)."
      })
  private Optional<By> by = Optional.empty();

  /** {@return the property of the groups; empty for the default} */
  public Optional<Grouping> grouping() {
    return by.map(key -> key.grouping);
  }
}
