package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.core.plan.bounds.LowerBounds;
import dev.stowage.core.plan.search.ObjectsSearchResult;
import dev.stowage.core.plan.search.OffsetsSearchResult;
import dev.stowage.core.plan.search.SearchEnd;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The plans of all strategies for one input.
 *
 * @param input the input
 * @param bounds the lower bounds of all plans; empty for textures
 * @param plans the plans, in the order of the strategies
 * @param notes sentences for the user, for example on skipped strategies
 * @param explanation the reason why there is no smaller plan, if requested
 * @param micro the figures of TensorFlow Lite Micro, if the input is planned for it
 * @param isInterrupted true if a signal ended the planning, so that plans are missing or could be
 *     better
 * @param outOfMemory the strategies that ran out of memory, whose plans are missing
 * @param order the order of the operators in the file and the best one, if requested
 */
public record PlanReport(
    PlanInput input,
    Optional<LowerBounds> bounds,
    List<Plan> plans,
    List<String> notes,
    Optional<Explanation> explanation,
    Optional<MicroReport> micro,
    boolean isInterrupted,
    List<MemoryStrategy> outOfMemory,
    Optional<OrderComparison> order) {

  private static final Comparator<Plan.Offsets> BEST_FIRST =
      Comparator.comparingLong(Plan.Offsets::totalBytes)
          .thenComparing(plan -> plan.strategy().offsetsFollowFromObjects());

  /**
   * Creates a report of planning that was not interrupted.
   *
   * @param input the input
   * @param bounds the lower bounds of all plans; empty for textures
   * @param plans the plans, in the order of the strategies
   * @param notes sentences for the user
   * @param explanation the reason why there is no smaller plan, if requested
   */
  public PlanReport(
      PlanInput input,
      Optional<LowerBounds> bounds,
      List<Plan> plans,
      List<String> notes,
      Optional<Explanation> explanation) {
    this(
        input,
        bounds,
        plans,
        notes,
        explanation,
        Optional.empty(),
        false,
        List.of(),
        Optional.empty());
  }

  /**
   * {@return this report with a comparison of orders, on which it has a note}
   *
   * @param comparison the order of the file and the best one
   */
  public PlanReport withOrder(OrderComparison comparison) {
    List<String> more = new ArrayList<>(notes);
    more.add(comparison.sentence());
    return new PlanReport(
        input,
        bounds,
        plans,
        more,
        explanation,
        micro,
        isInterrupted,
        outOfMemory,
        Optional.of(comparison));
  }

  /** {@return the lower bound of offsets plans: the load, or a higher bound from a search} */
  public long offsetsBoundBytes() {
    long loadBytes = bounds.orElseThrow().offsetsBytes();
    return searched()
        .flatMap(Plan.Offsets::search)
        .map(OffsetsSearchResult::lowerBoundBytes)
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
        .map(ObjectsSearchResult::lowerBoundBytes)
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
        .filter(plan -> !plan.strategy().offsetsFollowFromObjects() || isBest(plan))
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
    return isInterrupted && explanation.filter(Explanation::isCut).isEmpty();
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
