package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The plans of all strategies for one input. */
public final class PlanReport {

  private static final Comparator<Plan.Offsets> BEST_FIRST =
      Comparator.comparingLong(Plan.Offsets::totalBytes)
          .thenComparing(plan -> plan.strategy().derivesOffsets());

  private final PlanInput input;
  private final Optional<LowerBounds> bounds;
  private final List<Plan> plans;
  private final List<String> notes;
  private final Additions additions;
  private final End end;

  /** The parts of a report on request. */
  private record Additions(
      Optional<Explanation> explanation,
      Optional<MicroReport> micro,
      Optional<OrderComparison> order) {

    private static final Additions NONE =
        new Additions(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The end of the planning. */
  private record End(boolean isInterrupted, List<MemoryStrategy> outOfMemory) {

    private static final End COMPLETE = new End(false, List.of());
  }

  private PlanReport(
      PlanInput input,
      Optional<LowerBounds> bounds,
      List<Plan> plans,
      List<String> notes,
      Additions additions,
      End end) {
    this.input = input;
    this.bounds = bounds;
    this.plans = List.copyOf(plans);
    this.notes = List.copyOf(notes);
    this.additions = additions;
    this.end = end;
  }

  /**
   * Creates a report of planning that was not interrupted, without the parts on request.
   *
   * @param input the input
   * @param bounds the lower bounds of all plans; empty for textures
   * @param plans the plans, in the order of the strategies
   * @param notes sentences for the user, for example on skipped strategies
   */
  public PlanReport(
      PlanInput input, Optional<LowerBounds> bounds, List<Plan> plans, List<String> notes) {
    this(input, bounds, plans, notes, Additions.NONE, End.COMPLETE);
  }

  private PlanReport with(List<String> newNotes, Additions newAdditions) {
    return new PlanReport(input, bounds, plans, newNotes, newAdditions, end);
  }

  /**
   * {@return this report with the reason that there is no smaller plan}
   *
   * @param explanation the reason
   */
  public PlanReport withExplanation(Explanation explanation) {
    return with(
        notes, new Additions(Optional.of(explanation), additions.micro(), additions.order()));
  }

  /**
   * {@return this report with the figures of TensorFlow Lite Micro}
   *
   * @param micro the figures
   */
  public PlanReport withMicro(MicroReport micro) {
    return with(
        notes, new Additions(additions.explanation(), Optional.of(micro), additions.order()));
  }

  /**
   * {@return this report with a comparison of orders, on which it has a note}
   *
   * @param comparison the order of the file and the best one
   */
  public PlanReport withOrder(OrderComparison comparison) {
    return with(
        notesWith(comparison.sentence()),
        new Additions(additions.explanation(), additions.micro(), Optional.of(comparison)));
  }

  /**
   * {@return this report with another note}
   *
   * @param note a sentence for the user
   */
  public PlanReport withNote(String note) {
    return with(notesWith(note), additions);
  }

  /** {@return the notes with another one} */
  private List<String> notesWith(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return more;
  }

  /** {@return this report of planning that a signal ended, so that plans could be missing} */
  public PlanReport interrupted() {
    return new PlanReport(input, bounds, plans, notes, additions, new End(true, end.outOfMemory()));
  }

  /**
   * {@return this report with strategies whose plans are missing}
   *
   * @param strategies the strategies that ran out of memory
   */
  public PlanReport withOutOfMemory(List<MemoryStrategy> strategies) {
    return new PlanReport(
        input,
        bounds,
        plans,
        notes,
        additions,
        new End(end.isInterrupted(), List.copyOf(strategies)));
  }

  /** {@return the input} */
  public PlanInput input() {
    return input;
  }

  /** {@return the lower bounds of all plans; empty for textures} */
  public Optional<LowerBounds> bounds() {
    return bounds;
  }

  /** {@return the plans, in the order of the strategies} */
  public List<Plan> plans() {
    return plans;
  }

  /** {@return sentences for the user} */
  public List<String> notes() {
    return notes;
  }

  /** {@return the reason that there is no smaller plan, if requested} */
  public Optional<Explanation> explanation() {
    return additions.explanation();
  }

  /** {@return the figures of TensorFlow Lite Micro, if the input is planned for it} */
  public Optional<MicroReport> micro() {
    return additions.micro();
  }

  /** {@return the order of the operators in the file and the best one, if requested} */
  public Optional<OrderComparison> order() {
    return additions.order();
  }

  /** {@return true if an order other than that of the file, in which the plans are, needs less} */
  public boolean isReordered() {
    return order().filter(OrderComparison::isReordered).isPresent();
  }

  /** {@return true if a signal ended the planning, so that plans are missing or could be better} */
  public boolean isInterrupted() {
    return end.isInterrupted() || isOrderCut();
  }

  /** {@return true if a signal ended the search for an order, so that a better one may exist} */
  public boolean isOrderCut() {
    return order().filter(OrderComparison::isCut).isPresent();
  }

  /** {@return the strategies that ran out of memory, whose plans are missing} */
  public List<MemoryStrategy> outOfMemory() {
    return end.outOfMemory();
  }

  /** {@return the lower bound of offsets plans: the load, or a higher bound from a search} */
  public long offsetsBoundBytes() {
    long loadBytes = bounds.orElseThrow().offsetsBytes();
    return searched()
        .flatMap(Plan.Offsets::search)
        .map(SearchResult::lowerBoundBytes)
        .map(bytes -> Math.max(bytes, loadBytes))
        .orElse(loadBytes);
  }

  /**
   * {@return the lower bound of objects plans: the sum of the positional maximums, or a higher
   * bound from a search}
   */
  public long objectsBoundBytes() {
    long maximumsBytes = bounds.orElseThrow().objectsBytes();
    return searchedObjects()
        .flatMap(Plan.Objects::search)
        .map(SearchResult::lowerBoundBytes)
        .map(bytes -> Math.max(bytes, maximumsBytes))
        .orElse(maximumsBytes);
  }

  /** {@return the objects plan that a search found} */
  public Optional<Plan.Objects> searchedObjects() {
    return objectsPlans().stream().filter(plan -> plan.search().isPresent()).findFirst();
  }

  /** {@return the offsets plans} */
  public List<Plan.Offsets> offsetsPlans() {
    return plansOf(Plan.Offsets.class);
  }

  /**
   * {@return the offsets plans for tables}
   *
   * <p>If the report has objects plans, offsets that follow from objects are omitted unless they
   * are the best.
   */
  public List<Plan.Offsets> shownOffsetsPlans() {
    if (objectsPlans().isEmpty()) {
      return offsetsPlans();
    }
    return offsetsPlans().stream()
        .filter(plan -> !plan.strategy().derivesOffsets() || isBest(plan))
        .toList();
  }

  private boolean isBest(Plan.Offsets plan) {
    return bestOffsets().filter(best -> best.equals(plan)).isPresent();
  }

  /** {@return the objects plans} */
  public List<Plan.Objects> objectsPlans() {
    return plansOf(Plan.Objects.class);
  }

  /** {@return the texture plans} */
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
    return end.isInterrupted() && explanation().filter(Explanation::isCut).isEmpty();
  }

  /** {@return true if a search reached its time limit} */
  public boolean isOutOfTime() {
    boolean isOffsetsSearch =
        searched()
            .flatMap(Plan.Offsets::search)
            .filter(result -> result.end() == SearchEnd.TIME_LIMIT)
            .isPresent();
    boolean isObjectsSearch =
        searchedObjects()
            .flatMap(Plan.Objects::search)
            .filter(result -> result.end() == SearchEnd.TIME_LIMIT)
            .isPresent();
    return isOffsetsSearch || isObjectsSearch;
  }

  /** {@return the best offsets plan that no search found} */
  public Optional<Plan.Offsets> bestUnsearched() {
    return offsetsPlans().stream().filter(plan -> plan.search().isEmpty()).min(BEST_FIRST);
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
