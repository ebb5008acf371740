package dev.stowage.cli.plan;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.LoadPeak;
import java.util.List;
import java.util.Optional;

/**
 * The reason why no offsets plan fits into a capacity, and the changes that would help.
 *
 * @param capacityBytes the capacity
 * @param conflict a few records that cannot fit together; empty if none were found
 * @param peak the tasks at which the most bytes are live
 * @param effects the effects of options
 */
public record Explanation(
    long capacityBytes,
    Optional<CapacityConflict> conflict,
    LoadPeak peak,
    List<OptionEffect> effects)
    implements PlanPart {

  public Explanation {
    effects = List.copyOf(effects);
  }

  /** {@return an explanation that has only the peak of a problem} */
  public static Explanation ofPeak(PlanProblem problem) {
    return of(problem, 0, Optional.empty(), List.of());
  }

  /**
   * {@return an explanation}
   *
   * @param conflict a few records that cannot fit together, if any were found
   */
  public static Explanation of(
      PlanProblem problem,
      long capacityBytes,
      Optional<CapacityConflict> conflict,
      List<OptionEffect> effects) {
    return new Explanation(capacityBytes, conflict, LoadPeak.of(problem), effects);
  }
}
