package dev.stowage.cli.plan;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.XlaProgram;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.ObjectsSearch;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The planning of one input with sizes in bytes. */
final class TensorRun {

  private final PlanSelection selection;
  private final PlanInput.Tensors input;
  private final PlanProblem problem;
  private final SearchOptions search;
  private final PlanProgress progress;
  private final Interruption interruption;
  private final List<Plan> plans = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** True if a signal ended the planning, so that plans are missing or could be better. */
  private boolean isInterrupted;

  /** The plans of strategies that were not named and take too long. */
  private final List<String> skipped = new ArrayList<>();

  /** XLA's own plan, unless it is not valid, for example with a larger alignment. */
  private final Optional<OffsetsAssignment> planOfXla;

  TensorRun(
      PlanSelection selection,
      PlanInput.Tensors input,
      PlanProgress progress,
      Interruption interruption)
      throws InputRefusedException {
    this.selection = selection;
    this.input = input;
    problem = aligned(input.problem(), selection.alignment());
    planOfXla = input.xla().map(XlaProgram::plan).filter(plan -> violation(plan).isEmpty());
    this.progress = progress;
    this.interruption = interruption;
    SearchOptions observed = selection.search().withProgress(progress::searching);
    OptionalLong capacity = selection.planCapacityBytes(input);
    search = capacity.isPresent() ? observed.withCapacity(capacity.getAsLong()) : observed;
  }

  private static PlanProblem aligned(PlanProblem problem, long alignment)
      throws InputRefusedException {
    try {
      return problem.withAlignment(alignment);
    } catch (IllegalArgumentException e) {
      // The alignment contradicts a record; the message names it.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * {@return the plans}
   *
   * @param alternatives the input with other options, for an explanation
   */
  PlanReport run(List<Alternative> alternatives) throws InputRefusedException {
    try {
      planAll();
      addPlanOfXla();
    } catch (WorkInterruptedException e) {
      isInterrupted = true; // the report has the plans that are finished
    }
    PlanReport report =
        PlanReport.of(input.withProblem(problem), Optional.of(LowerBounds.of(problem)), plans);
    try {
      if (input.micro().isPresent()) {
        report = report.with(microReport(report, input.micro().get()));
      }
      if (selection.isExplained() && !isInterrupted) {
        report = explained(report, alternatives);
      }
    } catch (WorkInterruptedException e) {
      isInterrupted = true;
    }
    notes.addAll(PlanNotes.of(input, problem, selection));
    if (!skipped.isEmpty()) {
      notes.add(
          Text.of(
              "skipped because they may take long for so many records: %s; --strategy NAME runs one",
              String.join(", ", skipped)));
    }
    report = report.withNotes(notes);
    return isInterrupted ? report.interrupted() : report;
  }

  /** {@return the figures of TensorFlow Lite Micro} */
  private MicroReport microReport(PlanReport report, MicroMemory memory) {
    Optional<OffsetsAssignment> tensorsAlone = Optional.empty();
    if (memory.hasScratch()
        && !isInterrupted
        && selection.strategies().contains(MemoryStrategy.OPTIMAL)) {
      OffsetsSearch begun = OffsetsSearch.of(memory.tensorsAlone(problem), search);
      tensorsAlone = Optional.of(interruption.run(begun::run, begun::cancel).assignment());
    }
    memory
        .filePlanOverlap()
        .ifPresent(overlap ->
            notes.add(
                "live tensors overlap in the plan in the file, on purpose or by mistake: "
                    + overlap));
    return MicroReport.of(memory, report.offsetsPlans(), tensorsAlone);
  }

  private void planAll() throws InputRefusedException {
    for (MemoryStrategy strategy : selection.strategies()) {
      if (isApplicable(strategy)) {
        progress.planning(strategy);
        plan(strategy);
      } else if (selection.named().contains(strategy)) {
        throw new InputRefusedException(
            strategy
                + " cannot place pinned records"
                + (strategy.placesPins() ? " in shared objects" : "")
                + ", expected offsets of TFLM_GREEDY or OPTIMAL");
      }
    }
  }

  /** {@return true if no record is pinned, or if the strategy places pins; objects have no pins} */
  private boolean isApplicable(MemoryStrategy strategy) {
    return !problem.hasPins()
        || (strategy.placesPins() && selection.kinds().contains(AssignmentKind.OFFSETS));
  }

  /**
   * Adds the reason that no plan fits into the capacity. Without a capacity, it explains a byte
   * less than the lower bound.
   */
  private PlanReport explained(PlanReport report, List<Alternative> alternatives) {
    OptionalLong capacity = selection.planCapacityBytes(input);
    long unfitBytes = capacity.orElse(report.offsetsBoundBytes() - 1);
    boolean isUnfit =
        capacity.isPresent()
            ? plans.stream().noneMatch(plan -> plan.size() <= unfitBytes)
            : unfitBytes >= 0;
    if (!isUnfit) {
      return report;
    }
    ExplanationRun run =
        new ExplanationRun(problem, selection.search(), alternatives, progress, interruption);
    Explanation explanation =
        run.run(
            unfitBytes,
            report.searched().flatMap(_ -> report.bestOffsets()).map(Plan.Offsets::assignment));
    notes.addAll(run.notes());
    isInterrupted |= interruption.isInterrupted();
    return report.with(explanation);
  }

  private void plan(MemoryStrategy strategy) throws InputRefusedException {
    boolean isObjects = isSelected(strategy, AssignmentKind.OBJECTS);
    boolean isOffsets = isSelected(strategy, AssignmentKind.OFFSETS);
    if (strategy == MemoryStrategy.OPTIMAL) {
      search(isOffsets, isObjects);
      return;
    }
    if (isOffsets && !strategy.derivesOffsets()) {
      TimedResult<OffsetsAssignment> offsets =
          interruption.run(() -> TimedResult.of(() -> strategy.planOffsets(problem)));
      plans.add(offsets(strategy, offsets.value(), offsets.seconds(), Optional.empty()));
      isOffsets = false;
    }
    if (isOffsets || isObjects) {
      TimedResult<ObjectsAssignment> objects =
          interruption.run(() -> TimedResult.of(() -> strategy.planObjects(problem)));
      if (isOffsets) {
        addLayout(strategy, objects);
      }
      if (isObjects) {
        plans.add(objects(strategy, objects.value(), objects.seconds(), Optional.empty()));
      }
    }
  }

  private boolean isSelected(MemoryStrategy strategy, AssignmentKind kind) {
    boolean isObjects = kind == AssignmentKind.OBJECTS;
    boolean isPossible = !isObjects || (strategy.plansObjects() && !problem.hasPins());
    if (!selection.kinds().contains(kind) || !isPossible) {
      return false;
    }
    boolean isQuick =
        isObjects ? strategy.comparesObjects(problem) : strategy.comparesOffsets(problem);
    if (!isQuick && !selection.named().contains(strategy)) {
      skipped.add(
          isObjects
              ? Text.of("%s objects (above %s)", strategy, strategy.objectsLimit())
              : Text.of("%s offsets (above %s)", strategy, strategy.offsetsLimit()));
      return false;
    }
    return true;
  }

  private void addLayout(MemoryStrategy strategy, TimedResult<ObjectsAssignment> objects)
      throws InputRefusedException {
    OffsetsAssignment offsets;
    try {
      offsets = objects.value().toOffsets(problem);
    } catch (IllegalArgumentException e) {
      String refusal = Text.of("%s plans no offsets: %s", strategy, e.getMessage());
      if (selection.named().contains(strategy)) {
        throw new InputRefusedException(refusal);
      }
      notes.add(refusal);
      return;
    }
    plans.add(offsets(strategy, offsets, objects.seconds(), Optional.empty()));
  }

  /**
   * Runs the searches of the strategy with the limits of the user. Objects come first, because the
   * search for offsets may start from them.
   */
  private void search(boolean isOffsets, boolean isObjects) {
    Optional<Plan.Objects> objects = isObjects ? Optional.of(searchedObjects()) : Optional.empty();
    try {
      if (isOffsets) {
        plans.add(searchedOffsets(objects));
      }
    } finally {
      objects.ifPresent(plans::add);
    }
  }

  /** {@return the result of a search from the best plan so far, including objects in an arena} */
  private Plan searchedOffsets(Optional<Plan.Objects> objects) {
    OffsetsSearch begun = OffsetsSearch.of(problem, search);
    TimedResult<SearchResult<OffsetsAssignment>> made =
        searched(
            () -> {
              Stream.concat(
                      Stream.concat(plans.stream(), objects.stream())
                          .flatMap(plan -> offsets(plan).stream()),
                      planOfXla.stream())
                  .min(Comparator.comparingLong(OffsetsAssignment::totalBytes))
                  .ifPresent(begun::offer);
              return begun.run();
            },
            begun::cancel);
    return offsets(
        MemoryStrategy.OPTIMAL,
        made.value().assignment(),
        made.seconds(),
        Optional.of(made.value()));
  }

  /** {@return the result of a search from the best objects so far} */
  private Plan.Objects searchedObjects() {
    progress.phase(MemoryStrategy.OPTIMAL + " objects");
    ObjectsSearch begun = ObjectsSearch.of(problem, search);
    TimedResult<SearchResult<ObjectsAssignment>> made =
        searched(
            () -> {
              plans.stream()
                  .filter(Plan.Objects.class::isInstance)
                  .map(plan -> ((Plan.Objects) plan).assignment())
                  .min(Comparator.comparingLong(ObjectsAssignment::totalBytes))
                  .ifPresent(begun::offer);
              return begun.run();
            },
            begun::cancel);
    return objects(
        MemoryStrategy.OPTIMAL,
        made.value().assignment(),
        made.seconds(),
        Optional.of(made.value()));
  }

  private <A> TimedResult<SearchResult<A>> searched(
      Supplier<SearchResult<A>> work, Runnable cancel) {
    TimedResult<SearchResult<A>> made = interruption.run(() -> TimedResult.of(work), cancel);
    isInterrupted |= made.value().end() == SearchEnd.CANCELLED;
    return made;
  }

  /** {@return the offsets of a plan; empty if they cannot follow from its objects} */
  private Optional<OffsetsAssignment> offsets(Plan plan) {
    try {
      return switch (plan) {
        case Plan.Offsets offsets -> Optional.of(offsets.assignment());
        case Plan.Objects objects -> Optional.of(objects.assignment().toOffsets(problem));
        case Plan.Textures _ -> Optional.empty();
      };
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the user did not ask for these offsets
    }
  }

  /** Adds XLA's own plan; if it is not valid, a note. */
  private void addPlanOfXla() {
    if (selection.kinds().contains(AssignmentKind.OFFSETS)) {
      input
          .xla()
          .flatMap(program -> violation(program.plan()))
          .ifPresent(violation ->
              notes.add(
                  "XLA's own plan is left out, because it is not valid: " + violation.message()));
      planOfXla.map(Plan.Offsets::ofXla).ifPresent(plans::add);
    }
  }

  private Optional<Violation> violation(OffsetsAssignment plan) {
    return AssignmentChecker.violation(problem, plan);
  }

  private Plan offsets(
      MemoryStrategy strategy,
      OffsetsAssignment plan,
      double seconds,
      Optional<SearchResult<OffsetsAssignment>> found) {
    Plan.checkValid(strategy, violation(plan));
    return new Plan.Offsets(Optional.of(strategy), plan, OptionalDouble.of(seconds), found);
  }

  private Plan.Objects objects(
      MemoryStrategy strategy,
      ObjectsAssignment plan,
      double seconds,
      Optional<SearchResult<ObjectsAssignment>> found) {
    Plan.checkValid(strategy, AssignmentChecker.violation(problem, plan));
    return new Plan.Objects(Optional.of(strategy), plan, OptionalDouble.of(seconds), found);
  }
}
