package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.core.plan.AssignmentChecker;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.CapacityConflict;
import dev.stowage.core.plan.LowerBounds;
import dev.stowage.core.plan.MemoryStrategy;
import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.ObjectsSearch;
import dev.stowage.core.plan.ObjectsSearchResult;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.OffsetsSearch;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.SearchOptions;
import dev.stowage.core.plan.SearchResult;
import dev.stowage.core.plan.UnsupportedProblemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The planning of one input of plain bytes. */
final class TensorRun {

  private final PlanSelection selection;
  private final PlanInput.Tensors input;
  private final PlanProblem problem;
  private final LowerBounds bounds;
  private final SearchOptions search;
  private final PlanRunner.Progress progress;
  private final List<Plan> plans = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Strategies that were not named and take too long. */
  private final Set<MemoryStrategy> leftOut = EnumSet.noneOf(MemoryStrategy.class);

  /** No offsets plan is smaller, as far as is proved. */
  private long offsetsBoundBytes;

  /** No objects plan is smaller, as far as is proved. */
  private long objectsBoundBytes;

  TensorRun(PlanSelection selection, PlanInput.Tensors input, PlanRunner.Progress progress)
      throws InputRefusedException {
    this.selection = selection;
    this.input = input;
    problem = aligned(input.problem(), selection.alignment());
    bounds = LowerBounds.of(problem);
    offsetsBoundBytes = bounds.offsetsBytes();
    objectsBoundBytes = bounds.objectsBytes();
    this.progress = progress;
    search =
        new SearchOptions(
            selection.search().timeLimit(),
            selection.capacityBytes(input.file()),
            selection.search().threads(),
            progress::searching);
  }

  private static PlanProblem aligned(PlanProblem problem, long alignment)
      throws InputRefusedException {
    try {
      return problem.withAlignment(alignment);
    } catch (IllegalArgumentException e) {
      // What the problem and the command line say contradicts each other; core says where.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  PlanReport run() throws InputRefusedException {
    for (MemoryStrategy strategy : selection.strategies()) {
      if (!problem.hasPins() || placesPins(strategy)) {
        progress.planning(strategy);
        plan(strategy);
      } else if (selection.named().contains(strategy)) {
        String where = strategy.placesPins() ? " in shared objects" : "";
        throw new InputRefusedException(strategy + " cannot place pinned records" + where);
      }
    }
    noteOddities();
    PlanInput planned = new PlanInput.Tensors(input.file(), input.labels(), problem);
    return new PlanReport(planned, Optional.of(bounds), plans, notes, explanation());
  }

  /** Offsets alone can be pinned. */
  private boolean placesPins(MemoryStrategy strategy) {
    return strategy.placesPins() && selection.kinds().contains(AssignmentKind.OFFSETS);
  }

  /**
   * {@return why nothing fits into the capacity; without one, why nothing is below the lower bound}
   */
  private Optional<Explanation> explanation() {
    long unfitBytes = selection.capacityBytes(input.file()).orElse(offsetsBoundBytes - 1);
    boolean isUnfit = unfitBytes >= 0 && plans.stream().noneMatch(plan -> fits(plan, unfitBytes));
    return selection.explain() && isUnfit
        ? Optional.of(
            new Explanation(
                unfitBytes, CapacityConflict.find(problem, unfitBytes, selection.search())))
        : Optional.empty();
  }

  private static boolean fits(Plan plan, long capacityBytes) {
    return switch (plan) {
      case Plan.Offsets offsets -> offsets.totalBytes() <= capacityBytes;
      case Plan.Objects objects -> objects.totalBytes() <= capacityBytes;
      case Plan.Textures textures -> false;
    };
  }

  private void noteOddities() {
    if (problem.records().isEmpty()) {
      notes.add("there is nothing to plan; of a model, --io also plans inputs and outputs");
    }
    AssignmentChecker.pinnedOverlap(problem).ifPresent(notes::add);
    if (problem.hasPins() && selection.all()) {
      notes.add("there are pinned records: strategies that cannot place them are left out");
    }
    if (problem.usageGraph().isPresent()) {
      notes.add(
          "there is a usage graph: only the objects of NAIVE and GREEDY_IN_ORDER hold in every order that it allows, all other plans in that of the tasks");
    }
    if (!leftOut.isEmpty()) {
      notes.add(
          "left out, as they may take long for so many records: %s; --strategy NAME asks for one"
              .formatted(String.join(", ", leftOut.stream().map(this::limit).toList())));
    }
  }

  private String limit(MemoryStrategy strategy) {
    boolean hasOffsets =
        strategy.comparedRecordLimit(AssignmentKind.OFFSETS) >= problem.records().size();
    return "%s%s (above %,d)"
        .formatted(
            strategy,
            hasOffsets ? " objects" : "",
            strategy.comparedRecordLimit(AssignmentKind.OBJECTS));
  }

  private void plan(MemoryStrategy strategy) throws InputRefusedException {
    boolean objectsWanted = isWanted(strategy, AssignmentKind.OBJECTS);
    boolean offsetsWanted = isWanted(strategy, AssignmentKind.OFFSETS);
    if (strategy == MemoryStrategy.OPTIMAL) {
      search(offsetsWanted, objectsWanted);
      return;
    }
    if (offsetsWanted && !strategy.offsetsFollowFromObjects()) {
      addOffsets(strategy, Timed.of(() -> strategy.planOffsets(problem)), Optional.empty());
      offsetsWanted = false;
    }
    if (offsetsWanted || objectsWanted) {
      Timed<ObjectsAssignment> objects = Timed.of(() -> strategy.planObjects(problem));
      if (offsetsWanted) {
        layOut(strategy, objects);
      }
      if (objectsWanted) {
        addObjects(strategy, objects, Optional.empty());
      }
    }
  }

  private boolean isWanted(MemoryStrategy strategy, AssignmentKind kind) {
    boolean isPinned = kind == AssignmentKind.OBJECTS && problem.hasPins();
    if (!selection.kinds().contains(kind) || !strategy.plans(kind) || isPinned) {
      return false;
    }
    boolean isQuick = problem.records().size() <= strategy.comparedRecordLimit(kind);
    if (!isQuick && !selection.named().contains(strategy)) {
      leftOut.add(strategy);
      return false;
    }
    return true;
  }

  private void layOut(MemoryStrategy strategy, Timed<ObjectsAssignment> objects)
      throws InputRefusedException {
    try {
      OffsetsAssignment offsets = objects.value().toOffsets(problem);
      addOffsets(strategy, new Timed<>(offsets, objects.seconds()), Optional.empty());
    } catch (UnsupportedProblemException e) {
      String refusal = "%s has no offsets: %s".formatted(strategy, e.getMessage());
      if (selection.named().contains(strategy)) {
        throw new InputRefusedException(refusal);
      }
      notes.add(refusal);
    }
  }

  /**
   * Searches as the strategy does, with the limits that were asked for: objects first, as they may
   * be a start for offsets.
   */
  private void search(boolean offsetsWanted, boolean objectsWanted) {
    Optional<Timed<ObjectsSearchResult>> objects =
        objectsWanted ? Optional.of(searchedObjects()) : Optional.empty();
    if (offsetsWanted) {
      searchOffsets(objects.map(made -> made.value().assignment()));
    }
    objects.ifPresent(this::addSearchedObjects);
  }

  /** Searches from the best of the plans so far, and of objects that were searched. */
  private void searchOffsets(Optional<ObjectsAssignment> objects) {
    Optional<OffsetsAssignment> start =
        Stream.concat(
                plans.stream()
                    .flatMap(plan ->
                        plan instanceof Plan.Offsets offsets
                            ? Stream.of(offsets.assignment())
                            : Stream.empty()),
                objects.flatMap(this::laidOut).stream())
            .min(Comparator.comparingLong(OffsetsAssignment::totalBytes));
    Timed<SearchResult> made =
        Timed.of(() -> {
          OffsetsSearch begun = OffsetsSearch.of(problem, search);
          start.ifPresent(begun::offer);
          return begun.run();
        });
    SearchResult result = made.value();
    offsetsBoundBytes = Math.max(offsetsBoundBytes, result.lowerBoundBytes());
    addOffsets(
        MemoryStrategy.OPTIMAL,
        new Timed<>(result.assignment(), made.seconds()),
        Optional.of(result));
    // What the search proves holds for the plans of all others, too.
    plans.replaceAll(plan ->
        plan instanceof Plan.Offsets offsets ? offsets.heldAgainst(offsetsBoundBytes) : plan);
  }

  private Optional<OffsetsAssignment> laidOut(ObjectsAssignment objects) {
    try {
      return Optional.of(objects.toOffsets(problem));
    } catch (UnsupportedProblemException e) {
      return Optional.empty(); // nobody asked for these offsets
    }
  }

  /** {@return what is found until the time is over that was asked for, or nothing is smaller} */
  private Timed<ObjectsSearchResult> searchedObjects() {
    progress.searchingObjects();
    long startNanos = System.nanoTime();
    long limitNanos = search.timeLimit().toNanos();
    return Timed.of(() ->
        ObjectsSearch.search(
            problem, Long.MAX_VALUE, () -> System.nanoTime() - startNanos >= limitNanos));
  }

  private void addSearchedObjects(Timed<ObjectsSearchResult> made) {
    ObjectsSearchResult result = made.value();
    objectsBoundBytes = Math.max(objectsBoundBytes, result.lowerBoundBytes());
    addObjects(
        MemoryStrategy.OPTIMAL,
        new Timed<>(result.assignment(), made.seconds()),
        Optional.of(result));
    plans.replaceAll(plan ->
        plan instanceof Plan.Objects planned ? planned.heldAgainst(objectsBoundBytes) : plan);
  }

  private void addOffsets(
      MemoryStrategy strategy, Timed<OffsetsAssignment> made, Optional<SearchResult> found) {
    PlanRunner.refuseInvalid(strategy, AssignmentChecker.violation(problem, made.value()));
    boolean optimal = made.value().totalBytes() == offsetsBoundBytes;
    plans.add(new Plan.Offsets(strategy, made.value(), optimal, made.seconds(), found));
  }

  private void addObjects(
      MemoryStrategy strategy, Timed<ObjectsAssignment> made, Optional<ObjectsSearchResult> found) {
    PlanRunner.refuseInvalid(strategy, AssignmentChecker.violation(problem, made.value()));
    boolean optimal = made.value().totalBytes() == objectsBoundBytes;
    plans.add(new Plan.Objects(strategy, made.value(), optimal, made.seconds(), found));
  }
}
