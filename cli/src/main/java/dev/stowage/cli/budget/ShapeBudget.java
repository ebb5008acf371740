package dev.stowage.cli.budget;

import dev.stowage.core.budget.MemoryBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The budget of a model for one shape.
 *
 * @param input the file as on the command line
 * @param dimensions the sizes of dimensions
 * @param sessions the number of sessions
 * @param threads the number of threads of each session
 * @param budget the predicted memory
 * @param plannedBytes the arena of Stowage's plan for the intermediate tensors of a session
 * @param measured the measured memory, if requested
 * @param hasHeap true if the budget has the heap and the other parts of the Java process
 * @param limitBytes the limit, if there is one
 * @param rules the estimates of services
 */
public record ShapeBudget(
    String input,
    Map<String, Long> dimensions,
    int sessions,
    int threads,
    MemoryBudget budget,
    OptionalLong plannedBytes,
    Optional<ServiceMeasurement> measured,
    boolean hasHeap,
    OptionalLong limitBytes,
    List<ServiceRule> rules) {

  /** {@return the measured bytes that correspond to the budget, if requested} */
  public OptionalLong measuredBytes() {
    return measured
        .map(it -> OptionalLong.of(hasHeap ? it.end().highestBytes() : it.nativeBytes()))
        .orElse(OptionalLong.empty());
  }

  /** {@return true if the budget is within the limit, or if there is none} */
  public boolean fits() {
    return budget.highestBytes() <= limitBytes.orElse(Long.MAX_VALUE);
  }
}
