package dev.stowage.plan.strategy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.greedy.GreedyBest;
import dev.stowage.plan.greedy.Naive;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.planner.Planner;
import dev.stowage.plan.search.ObjectsSearch;
import dev.stowage.plan.search.OffsetsSearch;
import java.util.function.BooleanSupplier;

/**
 * The planning strategies.
 *
 * <p>Except for {@link #OPTIMAL}, names and results, including tie-breaks, come from TensorFlow
 * Lite's GPU delegate and TensorFlow Lite Micro. A strategy of shared objects also provides
 * offsets, by laying out the objects one after the other. {@link #EQUALITY}, {@link
 * #GREEDY_IN_ORDER} and {@link #MINCOSTFLOW} plan a copy of the records that is stably sorted by
 * first task, because the reference programs return overlapping plans for unsorted records.
 *
 * <p>With a {@link ReuseGraph}, all plans are valid in every order that the graph allows. {@link
 * #NAIVE}, {@link #GREEDY_IN_ORDER}, the offsets of {@link #GREEDY_BY_SIZE} and {@link
 * #TFLM_GREEDY}, and {@link #OPTIMAL} use exactly the pairs of records that must not share memory.
 * The others use widened lifetimes: each record lives until the last record that must not share its
 * memory has started. This may exclude more pairs. A graph adds O(n² / 64) to the costs. If widened
 * lifetimes exclude more pairs, the two strategies of offsets named above cost O(n²).
 *
 * <p>If a problem has records in place of others, only the offsets of {@link #OPTIMAL} use them.
 * The other plans share no bytes of such records at their common task.
 *
 * <p>Costs are for n records, at most k of them live at one task.
 */
public enum MemoryStrategy {
  /** Assigns a separate object to every record. O(n). */
  NAIVE(new Naive()),

  /** Reuses a free object of exactly the record's size. O(n log n). */
  EQUALITY,

  /**
   * Assigns records by first task to the free object closest in size. O(n log n); with a graph O(n
   * · k).
   */
  GREEDY_IN_ORDER,

  /**
   * Assigns the records of one task after the other, by descending number of live bytes. O(n log
   * n), plus O(1) for each pair of records that conflict. Comparisons omit it above 20,000 records
   * with 200 million such pairs.
   */
  GREEDY_BY_BREADTH,

  /**
   * As offsets: places records by descending size into the smallest gap that is large enough. The
   * time depends on the number of maximal free rectangles, usually about two for each record.
   * Comparisons omit offsets above 100,000 records with 10 billion pairs that conflict. As objects:
   * assigns records by their position in the task profiles, then by the distance in tasks to an
   * object's other records. Up to O(n²) time, usually O(n log n), and O(n) space. Comparisons omit
   * objects above 20,000 records with 50 million such pairs.
   */
  GREEDY_BY_SIZE,

  /**
   * The smaller of the objects plans of {@link #GREEDY_BY_SIZE} and {@link #GREEDY_BY_BREADTH}.
   * Comparisons omit it above 20,000 records with 50 million pairs that conflict.
   */
  GREEDY_BEST(new GreedyBest()),

  /**
   * Assigns chains of records to objects by a minimum-cost flow. Up to O(n³) time, O(n) space.
   * Comparisons omit it above 1,000 records.
   */
  MINCOSTFLOW,

  /**
   * Places records by descending size into the lowest gap that is large enough. Supports pinned
   * records and gaps in lifetimes. It takes the time of {@link #GREEDY_BY_SIZE} offsets, with the
   * same limit.
   */
  TFLM_GREEDY,

  /**
   * Searches for the smallest arena and for the smallest shared objects, starting from the plans of
   * the other strategies. The search for an arena takes up to ten seconds, in one thread. The
   * search for objects takes a fixed number of steps, about two seconds, so its result is always
   * the same. Neither is worse than a strategy that finishes within the limit. Both ignore requests
   * to stop. {@link OffsetsSearch} and {@link ObjectsSearch} accept other limits and report lower
   * bounds.
   */
  OPTIMAL(new Optimal());

  @SuppressWarnings("ImmutableEnumChecker") // planners have no state
  private final MemoryPlanner planner;

  /** A strategy of the list that searches start from. */
  MemoryStrategy() {
    planner = StartPlanners.named(name());
  }

  /** A strategy that is never better than a strategy of the list, or is a search. */
  MemoryStrategy(Planner planner) {
    this.planner = MemoryPlanner.of(name(), planner);
  }

  /** {@return the planner of this strategy} */
  MemoryPlanner planner() {
    return planner;
  }

  /** {@return true if the strategy assigns shared objects; all strategies assign offsets} */
  public boolean plansObjects() {
    return planner.plansObjects();
  }

  /** {@return true if the strategy's offsets respect pinned records; otherwise it rejects them} */
  public boolean placesPins() {
    return planner.placesPins();
  }

  /** {@return true if the strategy's offsets plan lays out its objects, one after the other} */
  public boolean derivesOffsets() {
    return planner.derivesOffsets();
  }

  /**
   * {@return true if a comparison of all strategies includes the objects of this one}
   *
   * <p>The strategy also plans larger problems. Costs O(n log n).
   *
   * @param problem the records
   */
  public boolean comparesObjects(PlanProblem problem) {
    return planner.objectsLimit().admits(problem);
  }

  /**
   * {@return true if a comparison of all strategies includes the offsets of this one}
   *
   * <p>The strategy also plans larger problems. Costs O(n log n).
   *
   * @param problem the records
   */
  public boolean comparesOffsets(PlanProblem problem) {
    return planner.offsetsLimit().admits(problem);
  }

  /** {@return the largest problems of {@link #comparesObjects}, such as "20,000 records"} */
  public String objectsLimit() {
    return planner.objectsLimit().toString();
  }

  /** {@return the largest problems of {@link #comparesOffsets}, such as "20,000 records"} */
  public String offsetsLimit() {
    return planner.offsetsLimit().toString();
  }

  /**
   * {@return a shared object for every record}
   *
   * @param problem the records
   * @throws IllegalArgumentException if {@code !plansObjects()}, or a record is pinned
   */
  public ObjectsAssignment planObjects(PlanProblem problem) {
    return planner.planObjects(problem, () -> false);
  }

  /**
   * {@return an offset for every record}
   *
   * @param problem the records
   * @throws IllegalArgumentException if a record is pinned and {@code !placesPins()}, or the
   *     offsets follow from objects and {@link ObjectsAssignment#toOffsets} rejects the problem
   */
  public OffsetsAssignment planOffsets(PlanProblem problem) {
    return planner.planOffsets(problem, () -> false);
  }

  /**
   * {@return an offset for every record}
   *
   * @param problem the records
   * @param stop true to give up; all strategies except {@link #OPTIMAL} check it often
   * @throws IllegalArgumentException as for {@link #planOffsets(PlanProblem)}
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    return planner.planOffsets(problem, stop);
  }
}
