package dev.stowage.core.plan.strategy;

import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.TextureObjectsAssignment;
import dev.stowage.core.plan.TextureUsageRecord;
import dev.stowage.core.plan.UnsupportedProblemException;
import dev.stowage.core.plan.greedy.Equality;
import dev.stowage.core.plan.greedy.GreedyBest;
import dev.stowage.core.plan.greedy.GreedyByBreadth;
import dev.stowage.core.plan.greedy.GreedyBySize;
import dev.stowage.core.plan.greedy.GreedyInOrder;
import dev.stowage.core.plan.greedy.MinCostFlow;
import dev.stowage.core.plan.greedy.Naive;
import dev.stowage.core.plan.greedy.TflmGreedy;
import dev.stowage.core.plan.search.ObjectsSearch;
import dev.stowage.core.plan.search.OffsetsSearch;
import dev.stowage.core.plan.spi.ComparisonLimit;
import dev.stowage.core.plan.spi.MemoryPlanner;
import dev.stowage.core.plan.spi.Planner;
import java.util.List;

/**
 * A way to plan memory.
 *
 * <p>Names and results are those of TensorFlow Lite's GPU delegate and of TensorFlow Lite Micro, to
 * the byte and with their tie-breaks. A strategy of shared objects also gives offsets: the objects
 * one after the other. Where the reference needs records in the order of their first tasks and
 * silently returns overlapping plans without it ({@link #EQUALITY}, {@link #GREEDY_IN_ORDER},
 * {@link #MINCOSTFLOW}), a stably sorted copy is planned.
 *
 * <p>With a {@link ReuseGraph}, all plans are valid in every order that the graph allows. {@link
 * #NAIVE}, {@link #GREEDY_IN_ORDER}, the offsets of {@link #GREEDY_BY_SIZE} and {@link
 * #TFLM_GREEDY}, and {@link #OPTIMAL} plan with exactly the pairs of records that may not share
 * memory. The others plan on widened lifetimes: each record lives until the last record has started
 * that it may not share memory with, which may rule out more pairs. Then costs grow by O(n² / 64)
 * for the bits of the graph, and those of the two strategies of offsets to O(n²) where widened
 * lifetimes rule out more.
 *
 * <p>Costs are for n records, at most k of them live at one task.
 */
public enum MemoryStrategy {
  /** An object of its own for every record. O(n). */
  NAIVE(new Naive()),

  /** Reuses a free object of exactly the record's size. O(n log n). */
  EQUALITY(new Equality()),

  /**
   * Takes records by first task and reuses the free object nearest in size. O(n log n); with a
   * graph O(n · k).
   */
  GREEDY_IN_ORDER(new GreedyInOrder()),

  /**
   * Takes tasks by the bytes live at them, the largest first. O(n log n) and the number of pairs of
   * records that conflict. Comparisons leave it out above 20,000 records with 200 million such
   * pairs.
   */
  GREEDY_BY_BREADTH(new GreedyByBreadth()),

  /**
   * As offsets: takes records by size, the largest first, into the smallest gap that holds them.
   * The time follows the number of maximal free rectangles, mostly about two for each record;
   * comparisons leave it out above 100,000 records with 10 billion pairs that conflict. As objects:
   * takes records by their position in the task profiles, then by the distance in tasks to an
   * object's other records; O(n²) time and up to O(n · k) searches, O(n) space. Comparisons leave
   * objects out above 5,000 records.
   */
  GREEDY_BY_SIZE(new GreedyBySize()),

  /**
   * The smaller of the objects of {@link #GREEDY_BY_SIZE} and {@link #GREEDY_BY_BREADTH}.
   * Comparisons leave it out above 5,000 records.
   */
  GREEDY_BEST(new GreedyBest()),

  /**
   * Chains of records by a flow of least cost. Up to O(n³) time, O(n) space. Comparisons leave it
   * out above 1,000 records.
   */
  MINCOSTFLOW(new MinCostFlow()),

  /**
   * Takes records by size, the largest first, into the lowest gap; places pinned records, and uses
   * gaps in lifetimes. Time and limit are those of {@link #GREEDY_BY_SIZE} offsets.
   */
  TFLM_GREEDY(new TflmGreedy()),

  /**
   * Searches for the smallest arena and for the smallest shared objects, starting from the other
   * strategies: for an arena up to ten seconds, in one thread; for objects a number of steps, about
   * a second or two and the same result every time. No plan of a strategy that finishes within the
   * limit is smaller. {@link OffsetsSearch} and {@link ObjectsSearch} take other limits, and say
   * what they proved.
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

  /** {@return true if the strategy's offsets are its objects, one after the other} */
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
