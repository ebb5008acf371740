package dev.stowage.cli.verify;

import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The verification that is requested.
 *
 * @param options the options of the reader of models
 * @param strategy the strategy; empty for the default one
 * @param isReordered true to search for an order of the operators
 * @param timeLimit the limit for a model, if there is one
 * @param inputs the inputs of the runs
 */
public record VerifyRequest(
    OnnxOptions options,
    Optional<MemoryStrategy> strategy,
    boolean isReordered,
    Optional<Duration> timeLimit,
    Inputs inputs) {

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);
  private static final Duration ORDER_LIMIT = Duration.ofSeconds(10);

  /**
   * The inputs of the runs.
   *
   * @param ranges the ranges of dimensions, if there are any
   * @param seed the seed of the values
   */
  public record Inputs(Optional<DimensionRanges> ranges, long seed) {}

  PlanRunner planner() {
    return new PlanRunner(
        new PlanSelection(
            EnumSet.of(strategy.orElse(MemoryStrategy.OPTIMAL)),
            false,
            EnumSet.of(AssignmentKind.OFFSETS),
            ModelVerification.ALIGNMENT_BYTES,
            PlanSelection.search(within(SEARCH_LIMIT)),
            false));
  }

  SearchOptions orderSearch() {
    return PlanSelection.search(within(ORDER_LIMIT));
  }

  /** {@return a limit, or the time limit of the user if it is shorter} */
  private Duration within(Duration limit) {
    return timeLimit.filter(shorter -> shorter.compareTo(limit) < 0).orElse(limit);
  }
}
