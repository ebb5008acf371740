package dev.stowage.cli.plan;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Arrays;
import java.util.List;

/** The plans of a problem by all strategies except for OPTIMAL. */
public final class FastPlans {

  private FastPlans() {}

  /** {@return the plans of the strategies that a comparison includes} */
  public static List<OffsetsAssignment> of(PlanProblem problem, Interruption interruption) {
    return Arrays.stream(MemoryStrategy.values())
        .filter(strategy -> strategy != MemoryStrategy.OPTIMAL && strategy.comparesOffsets(problem))
        .map(strategy -> interruption.run(() -> strategy.planOffsets(problem)))
        .toList();
  }
}
