package dev.stowage.plan.planner;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.conflict.ConflictForm;
import java.util.function.BooleanSupplier;

/**
 * A named planner that prepares each problem for an algorithm.
 *
 * <p>A {@link Planner} implements only the algorithm. This class rejects pinned records if the
 * algorithm ignores them, widens the lifetimes of a problem with a {@link ReuseGraph} if the
 * algorithm supports only lifetimes, and lays out objects in one arena if the algorithm has no
 * offsets of its own.
 */
public final class MemoryPlanner {

  private final String name;
  private final Planner planner;

  private MemoryPlanner(String name, Planner planner) {
    this.name = name;
    this.planner = planner;
  }

  /**
   * {@return a planner for an algorithm}
   *
   * @param name the name for messages
   * @param planner the algorithm: an {@link ObjectsPlanner}, an {@link OffsetsPlanner}, or both in
   *     one class
   */
  public static MemoryPlanner of(String name, Planner planner) {
    return new MemoryPlanner(name, planner);
  }

  /** {@return the name for messages} */
  public String name() {
    return name;
  }

  /** {@return true if this planner assigns shared objects; all planners assign offsets} */
  public boolean plansObjects() {
    return planner instanceof ObjectsPlanner;
  }

  /** {@return true if offsets respect pinned records; otherwise this planner rejects them} */
  public boolean placesPins() {
    return planner instanceof OffsetsPlanner offsets && offsets.placesPins();
  }

  /** {@return true if an offsets plan lays out the objects, one after the other} */
  public boolean derivesOffsets() {
    return !(planner instanceof OffsetsPlanner);
  }

  /** {@return true if offsets respect a {@link ReuseGraph}; otherwise, lifetimes are widened} */
  public boolean offsetsRespectGraphs() {
    return switch (planner) {
      case OffsetsPlanner offsets -> offsets.offsetsRespectGraphs();
      case ObjectsPlanner objects -> objects.objectsRespectGraphs();
    };
  }

  /** {@return true if shared objects usually take longer than a search for them} */
  public boolean isSlow() {
    return planner instanceof ObjectsPlanner objects && objects.isSlow();
  }

  /** {@return the largest size of a problem for the shared objects in a comparison} */
  public ComparisonLimit objectsLimit() {
    return planner instanceof ObjectsPlanner objects
        ? objects.objectsComparisonLimit()
        : ComparisonLimit.NONE;
  }

  /** {@return the largest size of a problem for the offsets in a comparison} */
  public ComparisonLimit offsetsLimit() {
    return planner instanceof OffsetsPlanner offsets
        ? offsets.offsetsComparisonLimit()
        : objectsLimit();
  }

  /**
   * {@return a shared object for every record}
   *
   * @param problem the records
   * @param stop true to give up; the planner checks it often, unless its documentation says
   *     otherwise
   * @throws IllegalArgumentException if {@code !plansObjects()}, or a record is pinned
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    if (!(planner instanceof ObjectsPlanner objects)) {
      throw new UnsupportedProblemException(name + " plans offsets only");
    }
    rejectPins(problem);
    boolean respectsGraph = problem.reuseGraph().isEmpty() || objects.objectsRespectGraphs();
    return objects.planObjects(respectsGraph ? problem : widened(problem, stop), stop);
  }

  /**
   * {@return an offset for every record}
   *
   * @param problem the records
   * @param stop true to give up; the planner checks it often, unless its documentation says
   *     otherwise
   * @throws IllegalArgumentException if a record is pinned and {@code !placesPins()}, or the
   *     offsets follow from objects and {@link ObjectsAssignment#toOffsets} rejects the problem
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    if (planner instanceof OffsetsPlanner offsets) {
      if (!placesPins()) {
        rejectPins(problem);
      }
      boolean respectsGraph = problem.reuseGraph().isEmpty() || offsetsRespectGraphs();
      return offsets.planOffsets(respectsGraph ? problem : widened(problem, stop), stop);
    }
    return planObjects(problem, stop).toOffsets(problem);
  }

  private static PlanProblem widened(PlanProblem problem, BooleanSupplier stop) {
    return ConflictForm.of(problem, stop).widened();
  }

  private void rejectPins(PlanProblem problem) {
    if (problem.hasPins()) {
      String where = placesPins() ? " in shared objects" : "";
      throw new UnsupportedProblemException(name + " cannot place pinned records" + where);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
