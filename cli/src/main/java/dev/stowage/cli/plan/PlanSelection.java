package dev.stowage.cli.plan;

import dev.stowage.cli.input.InputFile;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.search.SearchOptions;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which plans a user asked for.
 *
 * @param named the strategies asked for by name
 * @param all whether all others that apply are wanted, too
 * @param kinds the kinds of plans
 * @param alignment of every offset
 * @param search when a search ends, and what it may use
 * @param explain whether to find out why no plan is smaller than it has to be
 */
public record PlanSelection(
    Set<MemoryStrategy> named,
    boolean all,
    Set<AssignmentKind> kinds,
    long alignment,
    SearchOptions search,
    boolean explain) {

  /** More threads hardly find more, and each of them takes memory. */
  private static final int MOST_THREADS = 8;

  /**
   * {@return a search on this machine}
   *
   * @param timeLimit when it ends at the latest
   */
  public static SearchOptions search(Duration timeLimit) {
    int threads = Math.min(Runtime.getRuntime().availableProcessors(), MOST_THREADS);
    return SearchOptions.defaults().withThreads(threads).withTimeLimit(timeLimit);
  }

  /**
   * {@return how many bytes a plan must fit into: what the user says, else what the file says}
   *
   * @param file what is planned
   */
  public OptionalLong capacityBytes(InputFile file) {
    return search.capacityBytes().isPresent() ? search.capacityBytes() : file.capacity();
  }

  /** {@return the strategies that were asked for, in their own order} */
  public List<MemoryStrategy> strategies() {
    return Stream.of(MemoryStrategy.values())
        .filter(strategy -> all || named.contains(strategy))
        .toList();
  }
}
