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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** The planning of one input with sizes in bytes. */
final class TensorRun {

  private final PlanSelection selection;
  private final PlanInput.Tensors input;
  private final PlanProblem problem;
  private final LowerBounds bounds;
  private final SearchOptions search;
  private final List<Alternative> alternatives;
  private final PlanProgress progress;
  private final Interruption interruption;
  private final List<Plan> plans = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** The strategies that ran out of memory. */
  private final List<MemoryStrategy> outOfMemory = new ArrayList<>();

  /** True if a signal ended the planning, so that plans are missing or could be better. */
  private boolean isInterrupted;

  /** The strategies that have not finished; a signal now would end them. */
  private final List<MemoryStrategy> unfinished;

  /** The strategies that were not named and take too long. */
  private final Set<MemoryStrategy> skipped = EnumSet.noneOf(MemoryStrategy.class);

  /** The proved lower bound of all offsets plans. */
  private long offsetsBoundBytes;

  /** The reason why XLA's own plan is not valid, for example with a larger alignment. */
  private final Optional<Violation> violationOfXla;

  /** The proved lower bound of all objects plans. */
  private long objectsBoundBytes;

  TensorRun(
      PlanSelection selection,
      PlanInput.Tensors input,
      List<Alternative> alternatives,
      PlanProgress progress,
      Interruption interruption)
      throws InputRefusedException {
    this.selection = selection;
    this.input = input;
    this.alternatives = alternatives;
    problem = aligned(input.problem(), selection.alignment());
    violationOfXla =
        input.xla().flatMap(program -> AssignmentChecker.violation(problem, program.plan()));
    bounds = LowerBounds.of(problem);
    offsetsBoundBytes = bounds.offsetsBytes();
    objectsBoundBytes = bounds.objectsBytes();
    this.progress = progress;
    this.interruption = interruption;
    unfinished =
        new ArrayList<>(selection.strategies().stream().filter(this::isApplicable).toList());
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

  PlanReport run() throws InputRefusedException {
    Optional<Explanation> explanation = Optional.empty();
    Optional<MicroReport> micro = Optional.empty();
    try {
      planAll();
      addPlanOfXla();
      micro = microReport();
      if (selection.isExplained()) {
        explanation = explanation();
        isInterrupted |= explanation.filter(Explanation::isCut).isPresent();
      }
    } catch (WorkInterruptedException e) {
      isInterrupted = true; // the report has the plans that are finished
    }
    notes.addAll(PlanNotes.of(input, problem, selection));
    if (!skipped.isEmpty()) {
      notes.add(PlanNotes.skippedNote(problem, skipped));
    }
    if (isInterrupted) {
      notes.add(PlanNotes.interruptedNote(unfinished, plans));
    }
    return new PlanReport(
        input.withProblem(problem),
        Optional.of(bounds),
        plans,
        notes,
        explanation,
        micro,
        Optional.empty(),
        Optional.empty(),
        isInterrupted,
        outOfMemory);
  }

  /** {@return the figures of TensorFlow Lite Micro, if the input is planned for it} */
  private Optional<MicroReport> microReport() {
    if (input.micro().isEmpty()) {
      return Optional.empty();
    }
    MicroMemory memory = input.micro().get();
    Optional<OffsetsAssignment> tensorsAlone = Optional.empty();
    if (memory.hasScratch()
        && !isInterrupted
        && selection.strategies().contains(MemoryStrategy.OPTIMAL)) {
      OffsetsSearch begun = OffsetsSearch.of(memory.tensorsAlone(problem), search);
      tensorsAlone = Optional.of(interruption.run(begun::run, begun::cancel).assignment());
    }
    List<Plan.Offsets> offsets =
        plans.stream()
            .filter(Plan.Offsets.class::isInstance)
            .map(Plan.Offsets.class::cast)
            .toList();
    Duration timeLimit = search.nodeLimit() == Long.MAX_VALUE ? search.timeLimit() : Duration.ZERO;
    MicroReport report = MicroReport.of(memory, offsets, tensorsAlone, timeLimit);
    notes.addAll(report.notes(offsets.stream().mapToLong(Plan.Offsets::totalBytes).min()));
    return Optional.of(report);
  }

  private void planAll() throws InputRefusedException {
    for (MemoryStrategy strategy : selection.strategies()) {
      if (isApplicable(strategy)) {
        tryPlan(strategy);
        if (!isInterrupted) {
          unfinished.remove(strategy);
        }
      } else if (selection.named().contains(strategy)) {
        String where = strategy.placesPins() ? " in shared objects" : "";
        throw new InputRefusedException(
            strategy
                + " cannot place pinned records"
                + where
                + ", expected offsets of TFLM_GREEDY or OPTIMAL");
      }
    }
  }

  /** Plans; a strategy that runs out of memory costs no other strategy its plan. */
  private void tryPlan(MemoryStrategy strategy) throws InputRefusedException {
    try {
      progress.planning(strategy);
      plan(strategy);
    } catch (OutOfMemoryError e) {
      outOfMemory.add(strategy);
      boolean isLast = strategy == unfinished.getLast();
      if (isLast && plans.isEmpty()) {
        throw e;
      }
    }
  }

  private boolean isApplicable(MemoryStrategy strategy) {
    return !problem.hasPins() || placesPins(strategy);
  }

  /** {@return true if the strategy places pins and offsets are planned; objects have no pins} */
  private boolean placesPins(MemoryStrategy strategy) {
    return strategy.placesPins() && selection.kinds().contains(AssignmentKind.OFFSETS);
  }

  /**
   * {@return the reason that no plan fits into the capacity; without one, that no arena is below
   * the lower bound}
   */
  private Optional<Explanation> explanation() {
    OptionalLong capacity = selection.planCapacityBytes(input);
    long unfitBytes = capacity.orElse(offsetsBoundBytes - 1);
    boolean isUnfit =
        capacity.isPresent()
            ? plans.stream().noneMatch(plan -> plan.size() <= unfitBytes)
            : unfitBytes >= 0;
    if (!isUnfit || isInterrupted) {
      return Optional.empty();
    }
    ExplanationRun run =
        new ExplanationRun(problem, selection.search(), alternatives, progress, interruption);
    Optional<Plan> best =
        plans.stream()
            .filter(Plan.Offsets.class::isInstance)
            .min(Comparator.comparingLong(Plan::size));
    boolean isSearched =
        plans.stream().anyMatch(plan -> plan instanceof Plan.Offsets && plan.search().isPresent());
    Explanation explanation = run.run(unfitBytes, best.flatMap(this::offsets), isSearched);
    notes.addAll(run.notes());
    return Optional.of(explanation);
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
      addOffsets(strategy, offsets, Optional.empty());
      isOffsets = false;
    }
    if (isOffsets || isObjects) {
      TimedResult<ObjectsAssignment> objects =
          interruption.run(() -> TimedResult.of(() -> strategy.planObjects(problem)));
      if (isOffsets) {
        addLayout(strategy, objects);
      }
      if (isObjects) {
        addObjects(strategy, objects, Optional.empty());
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
      skipped.add(strategy);
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
    addOffsets(strategy, new TimedResult<>(offsets, objects.seconds()), Optional.empty());
  }

  /**
   * Runs the searches of the strategy with the limits of the user. Objects come first, because the
   * search for offsets may start from them.
   */
  private void search(boolean isOffsets, boolean isObjects) {
    Optional<TimedResult<SearchResult<ObjectsAssignment>>> objects =
        isObjects ? Optional.of(searchedObjects()) : Optional.empty();
    try {
      if (isOffsets) {
        searchOffsets(objects.map(made -> made.value().assignment()));
      }
    } finally {
      objects.ifPresent(this::addSearchedObjects);
    }
  }

  /** Searches from the best plan so far, including objects laid out in an arena. */
  private void searchOffsets(Optional<ObjectsAssignment> objects) {
    OffsetsSearch begun = OffsetsSearch.of(problem, search);
    TimedResult<SearchResult<OffsetsAssignment>> made =
        interruption.run(
            () ->
                TimedResult.of(() -> {
                  bestSoFar(objects).ifPresent(begun::offer);
                  return begun.run();
                }),
            begun::cancel);
    SearchResult<OffsetsAssignment> result = made.value();
    isInterrupted |= result.end() == SearchEnd.CANCELLED;
    offsetsBoundBytes = Math.max(offsetsBoundBytes, result.lowerBoundBytes());
    addOffsets(
        MemoryStrategy.OPTIMAL,
        new TimedResult<>(result.assignment(), made.seconds()),
        Optional.of(result));
    // The lower bound of the search holds for the plans of all strategies.
    plans.replaceAll(plan ->
        plan instanceof Plan.Offsets offsets ? offsets.comparedWith(offsetsBoundBytes) : plan);
  }

  private Optional<OffsetsAssignment> bestSoFar(Optional<ObjectsAssignment> objects) {
    return Stream.of(
            plans.stream().flatMap(plan -> offsets(plan).stream()),
            objects.flatMap(this::toOffsets).stream(),
            validPlanOfXla().stream())
        .flatMap(made -> made)
        .min(Comparator.comparingLong(OffsetsAssignment::totalBytes));
  }

  private Optional<OffsetsAssignment> offsets(Plan plan) {
    return switch (plan) {
      case Plan.InArena offsets -> Optional.of(offsets.assignment());
      case Plan.Objects objects -> toOffsets(objects.assignment());
      case Plan.Textures textures -> Optional.empty();
    };
  }

  private Optional<OffsetsAssignment> toOffsets(ObjectsAssignment objects) {
    try {
      return Optional.of(objects.toOffsets(problem));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the user did not ask for these offsets
    }
  }

  /** {@return the result of a search from the best objects so far} */
  private TimedResult<SearchResult<ObjectsAssignment>> searchedObjects() {
    progress.phase(MemoryStrategy.OPTIMAL + " objects");
    Optional<ObjectsAssignment> start =
        plans.stream()
            .flatMap(plan ->
                plan instanceof Plan.Objects objects
                    ? Stream.of(objects.assignment())
                    : Stream.empty())
            .min(Comparator.comparingLong(ObjectsAssignment::totalBytes));
    ObjectsSearch begun = ObjectsSearch.of(problem, search);
    TimedResult<SearchResult<ObjectsAssignment>> made =
        interruption.run(
            () ->
                TimedResult.of(() -> {
                  start.ifPresent(begun::offer);
                  return begun.run();
                }),
            begun::cancel);
    isInterrupted |= made.value().end() == SearchEnd.CANCELLED;
    return made;
  }

  private void addSearchedObjects(TimedResult<SearchResult<ObjectsAssignment>> made) {
    SearchResult<ObjectsAssignment> result = made.value();
    objectsBoundBytes = Math.max(objectsBoundBytes, result.lowerBoundBytes());
    addObjects(
        MemoryStrategy.OPTIMAL,
        new TimedResult<>(result.assignment(), made.seconds()),
        Optional.of(result));
    plans.replaceAll(plan ->
        plan instanceof Plan.Objects planned ? planned.comparedWith(objectsBoundBytes) : plan);
  }

  /** Adds XLA's own plan; if it is not valid, for example with a larger alignment, a note. */
  private void addPlanOfXla() {
    if (!selection.kinds().contains(AssignmentKind.OFFSETS)) {
      return;
    }
    violationOfXla.ifPresent(violation ->
        notes.add("XLA's own plan is left out, because it is not valid: " + violation.message()));
    validPlanOfXla()
        .ifPresent(plan -> plans.add(new Plan.OfXla(plan, plan.totalBytes() == offsetsBoundBytes)));
  }

  private Optional<OffsetsAssignment> validPlanOfXla() {
    return input.xla().map(XlaProgram::plan).filter(_ -> violationOfXla.isEmpty());
  }

  private void addOffsets(
      MemoryStrategy strategy,
      TimedResult<OffsetsAssignment> made,
      Optional<SearchResult<OffsetsAssignment>> found) {
    Plan.checkValid(strategy, AssignmentChecker.violation(problem, made.value()));
    boolean isOptimal = made.value().totalBytes() == offsetsBoundBytes;
    plans.add(new Plan.Offsets(strategy, made.value(), isOptimal, made.seconds(), found));
  }

  private void addObjects(
      MemoryStrategy strategy,
      TimedResult<ObjectsAssignment> made,
      Optional<SearchResult<ObjectsAssignment>> found) {
    Plan.checkValid(strategy, AssignmentChecker.violation(problem, made.value()));
    boolean isOptimal = made.value().totalBytes() == objectsBoundBytes;
    plans.add(new Plan.Objects(strategy, made.value(), isOptimal, made.seconds(), found));
  }
}
