package dev.stowage.plan.strategy;

import dev.stowage.plan.AssignmentKind;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TextureObjectsAssignment;
import dev.stowage.plan.TextureUsageRecord;
import dev.stowage.plan.UnsupportedProblemException;
import dev.stowage.plan.greedy.Equality;
import dev.stowage.plan.greedy.GreedyBest;
import dev.stowage.plan.greedy.GreedyByBreadth;
import dev.stowage.plan.greedy.GreedyBySize;
import dev.stowage.plan.greedy.GreedyInOrder;
import dev.stowage.plan.greedy.MinCostFlow;
import dev.stowage.plan.greedy.Naive;
import dev.stowage.plan.greedy.TflmGreedy;
import dev.stowage.plan.search.ObjectsSearch;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.spi.ComparisonLimit;
import dev.stowage.plan.spi.MemoryPlanner;
import dev.stowage.plan.spi.Planner;
import java.util.List;

/**
 * The planning strategies.
 *
 * <p>Names and results, including tie-breaks, are those of TensorFlow Lite's GPU delegate and of
 * TensorFlow Lite Micro, except for {@link #OPTIMAL}. A strategy of shared objects also provides
 * offsets, by laying out the objects one after the other. {@link #EQUALITY}, {@link
 * #GREEDY_IN_ORDER} and {@link #MINCOSTFLOW} plan a copy of the records that is stably sorted by
 * first task, because the reference programs return overlapping plans for unsorted records.
 *
 * <p>With a {@link ReuseGraph}, all plans are valid in every order that the graph allows. {@link
 * #NAIVE}, {@link #GREEDY_IN_ORDER}, the offsets of {@link #GREEDY_BY_SIZE} and {@link
 * #TFLM_GREEDY}, and {@link #OPTIMAL} use exactly the pairs of records that must not share memory.
 * The others use widened lifetimes, in which each record is live until the last record that it must
 * not share memory with has started. This may exclude more pairs. A graph adds O(n² / 64) to the
 * costs. If widened lifetimes exclude more pairs, the two strategies of offsets named above cost
 * O(n²).
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
  EQUALITY(new Equality()),

  /**
   * Assigns records by first task to the free object closest in size. O(n log n); with a graph O(n
   * · k).
   */
  GREEDY_IN_ORDER(new GreedyInOrder()),

  /**
   * Assigns the records of one task after the other, by descending number of live bytes. O(n log
   * n), plus O(1) for each pair of records that conflict. Comparisons omit it above 20,000 records
   * with 200 million such pairs.
   */
  GREEDY_BY_BREADTH(new GreedyByBreadth()),

  /**
   * As offsets: places records by descending size into the smallest gap that is large enough. The
   * time depends on the number of maximal free rectangles, usually about two for each record.
   * Comparisons omit offsets above 100,000 records with 10 billion pairs that conflict. As objects:
   * assigns records by their position in the task profiles, then by the distance in tasks to an
   * object's other records. O(n²) time, up to O(n · k) searches and O(n) space. Comparisons omit
   * objects above 5,000 records.
   */
  GREEDY_BY_SIZE(new GreedyBySize()),

  /**
   * The smaller of the objects plans of {@link #GREEDY_BY_SIZE} and {@link #GREEDY_BY_BREADTH}.
   * Comparisons omit it above 5,000 records.
   */
  GREEDY_BEST(new GreedyBest()),

  /**
   * Assigns chains of records to objects by a minimum-cost flow. Up to O(n³) time, O(n) space.
   * Comparisons omit it above 1,000 records.
   */
  MINCOSTFLOW(new MinCostFlow()),

  /**
   * Places records by descending size into the lowest gap that is large enough. Supports pinned
   * records and gaps in lifetimes. Time and limit are those of {@link #GREEDY_BY_SIZE} offsets.
   */
  TFLM_GREEDY(new TflmGreedy()),

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

  MemoryStrategy(Planner planner) {
    this.planner = MemoryPlanner.of(name(), planner);
  }

  /** {@return the planner of this strategy, whose methods can be stopped} */
  public MemoryPlanner planner() {
    return planner;
  }

  /**
   * {@return true if the strategy makes plans of a kind}
   *
   * @param kind objects or offsets
   */
  public boolean plans(AssignmentKind kind) {
    return planner.plans(kind);
  }

  /** {@return true if the strategy plans textures} */
  public boolean plansTextures() {
    return planner.plansTextures();
  }

  /** {@return true if the strategy's offsets respect pinned records; otherwise it rejects them} */
  public boolean placesPins() {
    return planner.placesPins();
  }

  /** {@return true if the strategy's offsets are those of its objects, one after the other} */
  public boolean offsetsFollowFromObjects() {
    return planner.offsetsFollowFromObjects();
  }

  /**
   * {@return the size of a problem up to which a comparison of all strategies includes this one}
   *
   * <p>The strategy also plans larger problems.
   *
   * @param kind objects or offsets
   */
  public ComparisonLimit comparisonLimit(AssignmentKind kind) {
    return planner.comparisonLimit(kind);
  }

  /**
   * {@return a shared object for every record}
   *
   * @param problem the records
   * @throws UnsupportedProblemException if {@code !plans(OBJECTS)}, or a record is pinned
   */
  public ObjectsAssignment planObjects(PlanProblem problem) {
    return planner.planObjects(problem, () -> false);
  }

  /**
   * {@return an offset for every record}
   *
   * @param problem the records
   * @throws UnsupportedProblemException if a record is pinned and {@code !placesPins()}, or the
   *     offsets follow from objects and {@link ObjectsAssignment#toOffsets} rejects the problem
   */
  public OffsetsAssignment planOffsets(PlanProblem problem) {
    return planner.planOffsets(problem, () -> false);
  }

  /**
   * {@return a shared texture for every record}
   *
   * @param records the textures, all of two or all of three dimensions
   * @throws IllegalArgumentException if some have two dimensions and some three
   * @throws UnsupportedProblemException if {@code !plansTextures()}
   */
  public TextureObjectsAssignment planTextures(List<TextureUsageRecord> records) {
    return planner.planTextures(records);
  }
}
