package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.plan.search.SearchOptions;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code stowage plan} that limit searches. */
public final class LimitOptions {

  /** The default limit of OPTIMAL as one of all strategies. */
  private static final Duration SHORT_LIMIT = Duration.ofSeconds(1);

  /** The default limit of OPTIMAL if it is named. */
  private static final Duration LONG_LIMIT = Duration.ofSeconds(10);

  /** The nodes that OPTIMAL visits in about SHORT_LIMIT. */
  private static final long SHORT_NODES = 500_000;

  /** The nodes that OPTIMAL visits in about LONG_LIMIT. */
  private static final long LONG_NODES = 5_000_000;

  /** The time limit in addition to a limit of nodes. Only huge problems reach it. */
  private static final Duration BACKSTOP = Duration.ofMinutes(10);

  @Option(
      names = {"--capacity", "--limit"},
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Exit with 4 if no plan fits into BYTES, such as 1048576 or 64KiB.",
        "OPTIMAL stops at the first plan that fits. If it finds none, it",
        "searches for the smallest plan. With --runtime tflm, the arena",
        "must fit: its head and its tail."
      })
  private Optional<Long> capacity = Optional.empty();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "Limit of each search of OPTIMAL, which keeps the best plan so far.",
        "Each FILE has one search for offsets and one for objects (default:",
        "10 if --strategy names OPTIMAL, otherwise 1).",
        "It also limits the search of --reorder (default: 10). With --baseline,",
        "the default for OPTIMAL is a number of nodes, so that each machine has",
        "the same plans."
      })
  private Optional<Duration> timeLimit = Optional.empty();

  /** {@return the bytes that a plan must fit into} */
  public Optional<Long> capacity() {
    return capacity;
  }

  /**
   * {@return the limits of OPTIMAL, with the capacity}
   *
   * @param isNamed true if the user names OPTIMAL
   * @param isRepeatable true if nodes limit the search unless the user limits its time
   */
  public SearchOptions search(boolean isNamed, boolean isRepeatable) {
    SearchOptions options = withoutCapacity(isNamed, isRepeatable);
    return capacity.isPresent() ? options.withCapacity(capacity.get()) : options;
  }

  /**
   * {@return the limits of OPTIMAL, without the capacity}
   *
   * @param isNamed true if the user names OPTIMAL
   * @param isRepeatable true if nodes limit the search unless the user limits its time
   */
  public SearchOptions withoutCapacity(boolean isNamed, boolean isRepeatable) {
    if (isRepeatable && timeLimit.isEmpty()) {
      return repeatable(isNamed ? LONG_NODES : SHORT_NODES);
    }
    return PlanSelection.search(timeLimit.orElse(isNamed ? LONG_LIMIT : SHORT_LIMIT));
  }

  private static SearchOptions repeatable(long nodes) {
    // With several threads, their number decides between plans of equal size and changes the nodes.
    return PlanSelection.search(BACKSTOP).withNodeLimit(nodes).withThreads(1);
  }

  /** {@return the limits of a short search that finds the same plans in each run} */
  public static SearchOptions shortSearch() {
    return repeatable(SHORT_NODES);
  }

  /** {@return the limits of the search for an order of operators} */
  public SearchOptions orderSearch() {
    return PlanSelection.search(timeLimit.orElse(LONG_LIMIT));
  }
}
