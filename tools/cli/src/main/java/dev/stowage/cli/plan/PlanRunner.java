package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.textures.TextureChecker;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import dev.stowage.plan.textures.TexturePlanner;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Plans inputs with the requested strategies and checks every plan.
 *
 * @param interruption ends the planning with the plans that are finished
 */
public record PlanRunner(PlanSelection selection, Interruption interruption) {

  /** Creates a runner that cannot be interrupted. */
  public PlanRunner(PlanSelection selection) {
    this(selection, new Interruption());
  }

  /**
   * {@return the plans of an input, without effects of other options in the explanation}
   *
   * @throws InputRefusedException as {@link #run(PlanInput, List, PlanProgress)}
   * @throws WorkInterruptedException if a signal arrived before the first strategy started
   */
  public PlanReport run(PlanInput input, PlanProgress progress) throws InputRefusedException {
    return run(input, List.of(), progress);
  }

  /**
   * {@return the plans of an input}
   *
   * @param alternatives the input with other options, for an explanation
   * @throws InputRefusedException if a named strategy cannot plan the input, if the input has no
   *     plans of the requested kind, or if the alignment contradicts a pinned record
   * @throws WorkInterruptedException if a signal arrived before the first strategy started
   */
  public PlanReport run(PlanInput input, List<Alternative> alternatives, PlanProgress progress)
      throws InputRefusedException {
    return switch (input) {
      case PlanInput.Tensors tensors ->
          interruption
              .run(() -> new TensorRun(selection, tensors, progress, interruption))
              .run(alternatives);
      case PlanInput.Textures textures -> runTextures(textures, progress);
    };
  }

  private PlanReport runTextures(PlanInput.Textures input, PlanProgress progress)
      throws InputRefusedException {
    if (!selection.kinds().contains(AssignmentKind.OBJECTS)) {
      throw new InputRefusedException("textures have no offsets, expected --kind objects");
    }
    List<TextureUsageRecord> records = input.planned();
    List<String> notes = new ArrayList<>();
    if (selection.isExplained()) {
      notes.add("--explain explains offsets, which textures do not have");
    }
    List<Plan> plans = new ArrayList<>();
    try {
      for (MemoryStrategy strategy : selection.strategies()) {
        if (TexturePlanner.plansTextures(strategy)) {
          progress.planning(strategy);
          plans.add(interruption.run(() -> texturePlan(strategy, records)));
        } else if (selection.named().contains(strategy)) {
          throw new InputRefusedException(
              strategy + " does not plan textures, expected another --strategy");
        }
      }
    } catch (WorkInterruptedException e) {
      return report(input, plans, notes).interrupted();
    }
    return report(input, plans, notes);
  }

  private static PlanReport report(PlanInput input, List<Plan> plans, List<String> notes) {
    return PlanReport.of(input, Optional.empty(), plans).withNotes(notes);
  }

  /** {@return the offsets of a strategy that does not search} */
  public static OffsetsAssignment offsets(MemoryStrategy strategy, PlanProblem problem) {
    return strategy.planOffsets(problem);
  }

  private static Plan texturePlan(MemoryStrategy strategy, List<TextureUsageRecord> records) {
    TimedResult<TextureObjectsAssignment> made =
        TimedResult.of(() -> TexturePlanner.planTextures(strategy, records));
    Plan.checkValid(strategy, TextureChecker.violation(records, made.value()));
    return new Plan.Textures(
        Optional.of(strategy), made.value(), OptionalDouble.of(made.seconds()));
  }
}
