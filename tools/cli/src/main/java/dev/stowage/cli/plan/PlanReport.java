package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plans of all strategies for one input.
 *
 * @param bounds the lower bounds of all plans; empty for textures
 * @param plans the plans, in the order of the strategies; the last one can be XLA's own plan
 * @param notes sentences for the user, for example on skipped strategies
 * @param explanation the reason that there is no smaller plan, if requested
 * @param micro the figures of TensorFlow Lite Micro, if the input is planned for it
 * @param order the order of the operators in the file and the best one, if requested
 * @param ranges the arenas of single shapes and of parts of the shapes, if dimensions have ranges
 * @param isStopped true if a signal ended the planning, so that plans could be missing
 * @param outOfMemory the strategies that ran out of memory, whose plans are missing
 */
public record PlanReport(
    PlanInput input,
    Optional<LowerBounds> bounds,
    List<Plan> plans,
    List<String> notes,
    Optional<Explanation> explanation,
    Optional<MicroReport> micro,
    Optional<OrderComparison> order,
    Optional<RangeReport> ranges,
    boolean isStopped,
    List<MemoryStrategy> outOfMemory) {

  private static final Comparator<Plan.Offsets> BEST_FIRST =
      Comparator.comparingLong(Plan.Offsets::totalBytes)
          .thenComparing(plan -> plan.strategy().derivesOffsets());

  public PlanReport {
    plans = List.copyOf(plans);
    notes = List.copyOf(notes);
    outOfMemory = List.copyOf(outOfMemory);
  }

  /** Creates a report of planning that was not interrupted, without the parts on request. */
  public PlanReport(
      PlanInput input, Optional<LowerBounds> bounds, List<Plan> plans, List<String> notes) {
    this(
        input,
        bounds,
        plans,
        notes,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        List.of());
  }

  /** {@return this report of planning that a signal ended} */
  PlanReport interrupted() {
    return new PlanReport(
        input, bounds, plans, notes, explanation, micro, order, ranges, true, outOfMemory);
  }

  /** {@return this report with a comparison of orders, on which it has a note} */
  public PlanReport withOrder(OrderComparison comparison) {
    return with(comparison.sentence(), Optional.of(comparison));
  }

  /** {@return this report with other figures of TensorFlow Lite Micro} */
  public PlanReport withMicro(MicroReport figures) {
    return new PlanReport(
        input,
        bounds,
        plans,
        notes,
        explanation,
        Optional.of(figures),
        order,
        ranges,
        isStopped,
        outOfMemory);
  }

  /** {@return this report with the arenas of single shapes and of parts of the shapes} */
  public PlanReport withRanges(RangeReport comparison) {
    return new PlanReport(
        input,
        bounds,
        plans,
        notes,
        explanation,
        micro,
        order,
        Optional.of(comparison),
        isStopped,
        outOfMemory);
  }

  /** {@return this report with another note} */
  public PlanReport withNote(String note) {
    return with(note, order);
  }

  private PlanReport with(String note, Optional<OrderComparison> newOrder) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new PlanReport(
        input, bounds, plans, more, explanation, micro, newOrder, ranges, isStopped, outOfMemory);
  }

  /** {@return true if an order other than that of the file, in which the plans are, needs less} */
  public boolean isReordered() {
    return order.filter(OrderComparison::isReordered).isPresent();
  }

  /** {@return true if a signal ended the planning, so that plans are missing or could be better} */
  public boolean isInterrupted() {
    return isStopped || isOrderCut();
  }

  /** {@return true if a signal ended the search for an order, so that a better one may exist} */
  public boolean isOrderCut() {
    return order.filter(OrderComparison::isCut).isPresent();
  }

  /** {@return the lower bound of offsets plans: the load, or a higher bound from a search} */
  public long offsetsBoundBytes() {
    return bound(searched(), bounds.orElseThrow().offsetsBytes());
  }

  /**
   * {@return the lower bound of objects plans: the sum of the positional maximums, or a higher
   * bound from a search}
   */
  public long objectsBoundBytes() {
    return bound(searchedObjects(), bounds.orElseThrow().objectsBytes());
  }

  private static long bound(Optional<? extends Plan> searched, long leastBytes) {
    return searched
        .flatMap(Plan::search)
        .map(found -> Math.max(found.lowerBoundBytes(), leastBytes))
        .orElse(leastBytes);
  }

  /** {@return the objects plan that a search found} */
  public Optional<Plan.Objects> searchedObjects() {
    return objectsPlans().stream().filter(plan -> plan.search().isPresent()).findFirst();
  }

  /** {@return the offsets plans of strategies} */
  public List<Plan.Offsets> offsetsPlans() {
    return plansOf(Plan.Offsets.class);
  }

  /**
   * {@return the offsets plans for tables}
   *
   * <p>If the report has objects plans, offsets that follow from objects are omitted unless they
   * are the best.
   */
  public List<Plan.InArena> shownOffsetsPlans() {
    boolean areAllShown = objectsPlans().isEmpty();
    return plansOf(Plan.InArena.class).stream()
        .filter(plan ->
            switch (plan) {
              case Plan.Offsets offsets ->
                  areAllShown || !offsets.strategy().derivesOffsets() || isBest(offsets);
              case Plan.OfXla _ -> true;
            })
        .toList();
  }

  private boolean isBest(Plan.Offsets plan) {
    return bestOffsets().filter(best -> best.equals(plan)).isPresent();
  }

  public List<Plan.Objects> objectsPlans() {
    return plansOf(Plan.Objects.class);
  }

  public List<Plan.Textures> texturePlans() {
    return plansOf(Plan.Textures.class);
  }

  /** {@return the smallest offsets plan; of equal ones one planned as offsets, then the first} */
  public Optional<Plan.Offsets> bestOffsets() {
    return offsetsPlans().stream().min(BEST_FIRST);
  }

  /** {@return the offsets plan that a search found} */
  public Optional<Plan.Offsets> searched() {
    return offsetsPlans().stream().filter(plan -> plan.search().isPresent()).findFirst();
  }

  /** {@return true if a signal ended the planning before all plans were finished} */
  public boolean arePlansCut() {
    return isStopped && explanation.filter(Explanation::isCut).isEmpty();
  }

  /** {@return true if a search reached its time limit} */
  public boolean isOutOfTime() {
    return plans.stream()
        .flatMap(plan -> plan.search().stream())
        .anyMatch(search -> search.end() == SearchEnd.TIME_LIMIT);
  }

  /** {@return XLA's own plan, if the input is a dump of its program and the plan is valid} */
  public Optional<Plan.OfXla> planOfXla() {
    return plansOf(Plan.OfXla.class).stream().findFirst();
  }

  /** {@return the best offsets plan that no search found; of equal ones not that of XLA} */
  public Optional<Plan.InArena> bestUnsearched() {
    Optional<Plan.Offsets> best =
        offsetsPlans().stream().filter(plan -> plan.search().isEmpty()).min(BEST_FIRST);
    return Stream.<Plan.InArena>concat(best.stream(), planOfXla().stream())
        .min(Comparator.comparingLong(Plan.InArena::totalBytes));
  }

  /** {@return the smallest objects plan; of equal ones the first} */
  public Optional<Plan.Objects> bestObjects() {
    return objectsPlans().stream().min(Comparator.comparingLong(Plan.Objects::totalBytes));
  }

  /** {@return the best objects plan that no search found} */
  public Optional<Plan.Objects> bestUnsearchedObjects() {
    return objectsPlans().stream()
        .filter(plan -> plan.search().isEmpty())
        .min(Comparator.comparingLong(Plan.Objects::totalBytes));
  }

  private <T extends Plan> List<T> plansOf(Class<T> kind) {
    return plans.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
