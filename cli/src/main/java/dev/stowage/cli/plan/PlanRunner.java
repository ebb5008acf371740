package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReallocationGraph;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.TextureObjectsAssignment;
import dev.stowage.core.plan.TextureUsageRecord;
import dev.stowage.core.plan.UsageGraph;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.check.Violation;
import dev.stowage.core.plan.search.SearchProgress;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lets the strategies plan an input, and checks every plan before anyone sees it. */
public final class PlanRunner {

  private final PlanSelection selection;
  private final Interruption interruption;

  /**
   * A runner that nothing interrupts.
   *
   * @param selection which plans are wanted
   */
  public PlanRunner(PlanSelection selection) {
    this(selection, new Interruption());
  }

  /**
   * A runner.
   *
   * @param selection which plans are wanted
   * @param interruption ends the planning with the plans that are finished
   */
  public PlanRunner(PlanSelection selection, Interruption interruption) {
    this.selection = selection;
    this.interruption = interruption;
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
   * @throws WorkInterruptedException if a signal arrived before the first strategy began
   */
  public PlanReport run(PlanInput input, Progress progress) throws InputRefusedException {
    return switch (input) {
      case PlanInput.Tensors tensors ->
          interruption.run(() -> new TensorRun(selection, tensors, progress, interruption)).run();
      case PlanInput.Textures textures -> runTextures(textures, progress);
    };
  }

  private PlanReport runTextures(PlanInput.Textures input, Progress progress)
      throws InputRefusedException {
    if (!selection.kinds().contains(AssignmentKind.OBJECTS)) {
      throw new InputRefusedException("textures can be shared objects only, they have no offsets");
    }
    List<TextureUsageRecord> records = input.planned();
    List<String> notes =
        new ArrayList<>(input.graph().map(PlanRunner::graphNote).stream().toList());
    if (selection.explain()) {
      notes.add("--explain is about offsets, which textures do not have");
    }
    List<Plan> plans = new ArrayList<>();
    List<MemoryStrategy> unfinished =
        new ArrayList<>(
            selection.strategies().stream().filter(MemoryStrategy::plansTextures).toList());
    try {
      for (MemoryStrategy strategy : selection.strategies()) {
        if (strategy.plansTextures()) {
          progress.planning(strategy);
          plans.add(interruption.run(() -> texturePlan(strategy, records)));
        } else if (selection.named().contains(strategy)) {
          throw new InputRefusedException(strategy + " does not plan textures");
        }
        unfinished.remove(strategy);
      }
    } catch (WorkInterruptedException e) {
      notes.add(interruptedNote(unfinished, plans));
      return new PlanReport(
          input, Optional.empty(), plans, notes, Optional.empty(), true, List.of());
    }
    return new PlanReport(input, Optional.empty(), plans, notes, Optional.empty());
  }

  private static String graphNote(ReuseGraph graph) {
    return String.format(
        Locale.ROOT,
        "there is a %s graph: textures are planned with longer lifetimes, so that all plans hold in every order that it allows",
        name(graph));
  }

  /**
   * {@return a note about the gaps of a problem that do not count; empty if it has none}
   *
   * @param problem with a graph, or without one
   */
  public static Optional<String> gapsNote(PlanProblem problem) {
    return problem.withoutUnusedGaps().equals(problem)
        ? Optional.empty()
        : Optional.of("the gaps are not used: with a graph, a record needs its memory throughout");
  }

  static String name(ReuseGraph graph) {
    return switch (graph) {
      case UsageGraph usage -> "usage";
      case ReallocationGraph ready -> "reallocation";
    };
  }

  private static Plan texturePlan(MemoryStrategy strategy, List<TextureUsageRecord> records) {
    Timed<TextureObjectsAssignment> made = Timed.of(() -> strategy.planTextures(records));
    refuseInvalid(strategy, AssignmentChecker.violation(records, made.value()));
    return new Plan.Textures(strategy, made.value(), false, made.seconds());
  }

  /** {@return a note about the strategies that a signal kept from planning, or cut short} */
  static String interruptedNote(List<MemoryStrategy> unfinished, List<Plan> plans) {
    if (unfinished.isEmpty()) {
      return "interrupted before the explanation was finished";
    }
    return (plans.isEmpty()
            ? "interrupted before there was a plan"
            : "interrupted: these are the best plans so far")
        + "; not finished: "
        + unfinished.stream().map(MemoryStrategy::name).collect(Collectors.joining(", "));
  }

  static void refuseInvalid(MemoryStrategy strategy, Optional<Violation> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          String.format(
              Locale.ROOT, "%s made a plan that is not valid: %s", strategy, violation.get()));
    }
  }
}
