package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.core.plan.AssignmentChecker;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.MemoryStrategy;
import dev.stowage.core.plan.SearchProgress;
import dev.stowage.core.plan.TextureObjectsAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lets the strategies plan an input, and checks every plan before anyone sees it. */
public final class PlanRunner {

  private final PlanSelection selection;

  /**
   * A runner.
   *
   * @param selection which plans are wanted
   */
  public PlanRunner(PlanSelection selection) {
    this.selection = selection;
  }

  /** Is told how far the planning is. */
  public interface Progress {

    /**
     * Says that a strategy is about to plan.
     *
     * @param strategy the strategy
     */
    void planning(MemoryStrategy strategy);

    /**
     * Says now and then how far the search is that the strategy makes.
     *
     * @param progress the best plan so far, and what is proved
     */
    default void searching(SearchProgress progress) {}

    /** Says that the strategy's search for shared objects begins. */
    default void searchingObjects() {}
  }

  /**
   * {@return the plans of an input}
   *
   * @param input the records
   * @param progress is told of every strategy before it plans
   * @throws InputRefusedException if a strategy asked for by name cannot plan it, the kind asked
   *     for does not exist for it, or the alignment contradicts a pinned record
   */
  public PlanReport run(PlanInput input, Progress progress) throws InputRefusedException {
    return switch (input) {
      case PlanInput.Tensors tensors -> new TensorRun(selection, tensors, progress).run();
      case PlanInput.Textures textures -> runTextures(textures, progress);
    };
  }

  private PlanReport runTextures(PlanInput.Textures input, Progress progress)
      throws InputRefusedException {
    if (!selection.kinds().contains(AssignmentKind.OBJECTS)) {
      throw new InputRefusedException("textures can be shared objects only, they have no offsets");
    }
    List<Plan> plans = new ArrayList<>();
    for (MemoryStrategy strategy : selection.strategies()) {
      if (strategy.plansTextures()) {
        progress.planning(strategy);
        Timed<TextureObjectsAssignment> made =
            Timed.of(() -> strategy.planTextures(input.records()));
        refuseInvalid(strategy, AssignmentChecker.violation(input.records(), made.value()));
        plans.add(new Plan.Textures(strategy, made.value(), false, made.seconds()));
      } else if (selection.named().contains(strategy)) {
        throw new InputRefusedException(strategy + " does not plan textures");
      }
    }
    return new PlanReport(input, Optional.empty(), plans, List.of(), Optional.empty());
  }

  static void refuseInvalid(MemoryStrategy strategy, Optional<String> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          "%s made a plan that is not valid: %s".formatted(strategy, violation.get()));
    }
  }
}
