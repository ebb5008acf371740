package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.core.plan.AssignmentChecker;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.LowerBounds;
import dev.stowage.core.plan.MemoryStrategy;
import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TextureObjectsAssignment;
import dev.stowage.core.plan.UnsupportedProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

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
  }

  /**
   * {@return the plans of an input}
   *
   * @param input the records
   * @param progress is told of every strategy before it plans
   * @throws UnsupportedProblemException if a strategy asked for by name cannot plan it
   * @throws IllegalArgumentException if the alignment contradicts a pinned record
   */
  public PlanReport run(PlanInput input, Progress progress) {
    return switch (input) {
      case PlanInput.Tensors tensors ->
          new TensorRun(tensors, tensors.problem().withAlignment(selection.alignment()))
              .run(progress);
      case PlanInput.Textures textures -> runTextures(textures, progress);
    };
  }

  /** {@return the strategies that were asked for, in their own order} */
  public List<MemoryStrategy> strategies() {
    List<MemoryStrategy> strategies = new ArrayList<>();
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (selection.all() || selection.named().contains(strategy)) {
        strategies.add(strategy);
      }
    }
    return strategies;
  }

  private PlanReport runTextures(PlanInput.Textures input, Progress progress) {
    if (!selection.kinds().contains(AssignmentKind.OBJECTS)) {
      throw new IllegalArgumentException(
          "textures can be shared objects only, they have no offsets");
    }
    List<Plan> plans = new ArrayList<>();
    for (MemoryStrategy strategy : strategies()) {
      progress.planning(strategy);
      try {
        Timed<TextureObjectsAssignment> made =
            Timed.of(() -> strategy.planTextures(input.records()));
        refuseInvalid(strategy, AssignmentChecker.violation(input.records(), made.value));
        plans.add(new Plan.Textures(strategy, made.value, false, made.seconds));
      } catch (UnsupportedProblemException e) {
        passOnIfNamed(strategy, e);
      }
    }
    return new PlanReport(input, Optional.empty(), plans, List.of());
  }

  private void passOnIfNamed(MemoryStrategy strategy, UnsupportedProblemException e) {
    if (selection.named().contains(strategy)) {
      throw e;
    }
  }

  private static void refuseInvalid(MemoryStrategy strategy, Optional<String> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          "%s made a plan that is not valid: %s".formatted(strategy, violation.get()));
    }
  }

  private record Timed<T>(T value, double seconds) {

    static <T> Timed<T> of(Supplier<T> work) {
      long start = System.nanoTime();
      T value = work.get();
      return new Timed<>(value, (System.nanoTime() - start) / 1e9);
    }
  }

  /** The planning of one input of plain bytes. */
  private final class TensorRun {

    private final PlanInput.Tensors input;
    private final PlanProblem problem;
    private final LowerBounds bounds;
    private final boolean pinsOverlap;
    private final List<Plan> plans = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    TensorRun(PlanInput.Tensors input, PlanProblem problem) {
      this.input = input;
      this.problem = problem;
      bounds = LowerBounds.of(problem);
      Optional<String> overlap = AssignmentChecker.pinnedOverlap(problem);
      pinsOverlap = overlap.isPresent();
      overlap.ifPresent(notes::add);
    }

    PlanReport run(Progress progress) {
      for (MemoryStrategy strategy : strategies()) {
        progress.planning(strategy);
        try {
          plan(strategy);
        } catch (UnsupportedProblemException e) {
          passOnIfNamed(strategy, e);
        }
      }
      if (!leftOut.isEmpty()) {
        notes.add(
            "left out for their time: %s; --strategy NAME asks for one"
                .formatted(String.join(", ", leftOut)));
      }
      PlanInput planned = new PlanInput.Tensors(input.file(), input.labels(), problem);
      return new PlanReport(planned, Optional.of(bounds), plans, notes);
    }

    private void plan(MemoryStrategy strategy) {
      boolean objectsWanted = isWanted(strategy, AssignmentKind.OBJECTS);
      boolean offsetsWanted = isWanted(strategy, AssignmentKind.OFFSETS);
      if (offsetsWanted && !strategy.offsetsFollowFromObjects()) {
        addOffsets(strategy, Timed.of(() -> strategy.planOffsets(problem)));
        offsetsWanted = false;
      }
      if (offsetsWanted || objectsWanted) {
        Timed<ObjectsAssignment> objects = Timed.of(() -> strategy.planObjects(problem));
        if (offsetsWanted) {
          addOffsets(strategy, new Timed<>(objects.value.toOffsets(problem), objects.seconds));
        }
        if (objectsWanted) {
          addObjects(strategy, objects);
        }
      }
    }

    private boolean isWanted(MemoryStrategy strategy, AssignmentKind kind) {
      if (!selection.kinds().contains(kind)) {
        return false;
      }
      if (selection.named().contains(strategy)) {
        // Where the only kind asked for is one that it does not plan, it says so itself.
        return strategy.plans(kind) || selection.kinds().size() == 1;
      }
      int limit = strategy.comparedRecordLimit(kind);
      if (strategy.plans(kind) && problem.records().size() > limit) {
        leftOut.add(
            "%s %s (above %,d records)"
                .formatted(strategy, kind.name().toLowerCase(Locale.ROOT), limit));
        return false;
      }
      return strategy.plans(kind);
    }

    private void addOffsets(MemoryStrategy strategy, Timed<OffsetsAssignment> made) {
      refuseInvalid(strategy, AssignmentChecker.violation(problem, made.value));
      boolean optimal = !pinsOverlap && made.value.totalBytes() == bounds.offsetsBytes();
      plans.add(new Plan.Offsets(strategy, made.value, optimal, made.seconds));
    }

    private void addObjects(MemoryStrategy strategy, Timed<ObjectsAssignment> made) {
      refuseInvalid(strategy, AssignmentChecker.violation(problem, made.value));
      boolean optimal = made.value.totalBytes() == bounds.objectsBytes();
      plans.add(new Plan.Objects(strategy, made.value, optimal, made.seconds));
    }
  }
}
