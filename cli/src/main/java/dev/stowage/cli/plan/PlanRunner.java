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

/** Plans inputs with the requested strategies and checks every plan. */
public final class PlanRunner {

  private final PlanSelection selection;
  private final Interruption interruption;

  /**
   * A runner that cannot be interrupted.
   *
   * @param selection the requested plans
   */
  public PlanRunner(PlanSelection selection) {
    this(selection, new Interruption());
  }

  /**
   * A runner.
   *
   * @param selection the requested plans
   * @param interruption ends the planning with the plans that are finished
   */
  public PlanRunner(PlanSelection selection, Interruption interruption) {
    this.selection = selection;
    this.interruption = interruption;
  }

  /** The listener for the progress of planning. */
  public interface Progress {

    /**
     * Called before a strategy plans.
     *
     * @param strategy the strategy
     */
    void planning(MemoryStrategy strategy);

    /**
     * Called from time to time during a search.
     *
     * @param progress the best plan and the proved bound so far
     */
    default void searching(SearchProgress progress) {}

    /** Called before the search for shared objects. */
    default void searchingObjects() {}
  }

  /**
   * {@return the plans of an input}
   *
   * @param input the records
   * @param progress the listener for the progress
   * @throws InputRefusedException if a named strategy cannot plan the input, if the input has no
   *     plans of the requested kind, or if the alignment contradicts a pinned record
   * @throws WorkInterruptedException if a signal arrived before the first strategy started
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
      throw new InputRefusedException("textures have no offsets, expected --kind objects");
    }
    List<TextureUsageRecord> records = input.planned();
    List<String> notes =
        new ArrayList<>(input.graph().map(PlanRunner::graphNote).stream().toList());
    if (selection.explain()) {
      notes.add("--explain explains offsets, which textures do not have");
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
          throw new InputRefusedException(
              strategy + " does not plan textures, expected another --strategy");
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
        "the problem has a %s graph: textures are planned with longer lifetimes, so that all plans are valid in every order that it allows",
        name(graph));
  }

  /**
   * {@return a note on gaps that are ignored because of a graph; empty if there are none}
   *
   * @param problem the problem
   */
  public static Optional<String> gapsNote(PlanProblem problem) {
    return problem.withoutUnusedGaps().equals(problem)
        ? Optional.empty()
        : Optional.of(
            "gaps are ignored: with a graph, a record needs its memory during its whole lifetime");
  }

  static String name(ReuseGraph graph) {
    return switch (graph) {
      case UsageGraph usage -> "usage";
      case ReallocationGraph ready -> "reallocation";
    };
  }

  private static Plan texturePlan(MemoryStrategy strategy, List<TextureUsageRecord> records) {
    Timed<TextureObjectsAssignment> made = Timed.of(() -> strategy.planTextures(records));
    checkValid(strategy, AssignmentChecker.violation(records, made.value()));
    return new Plan.Textures(strategy, made.value(), false, made.seconds());
  }

  /** {@return a note on the strategies that a signal ended} */
  static String interruptedNote(List<MemoryStrategy> unfinished, List<Plan> plans) {
    if (unfinished.isEmpty()) {
      return "interrupted before the explanation was finished";
    }
    return (plans.isEmpty()
            ? "interrupted before the first plan"
            : "interrupted: these are the best plans so far")
        + "; not finished: "
        + unfinished.stream().map(MemoryStrategy::name).collect(Collectors.joining(", "));
  }

  static void checkValid(MemoryStrategy strategy, Optional<Violation> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          String.format(Locale.ROOT, "the plan of %s is not valid: %s", strategy, violation.get()));
    }
  }
}
