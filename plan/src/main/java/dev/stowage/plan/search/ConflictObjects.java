package dev.stowage.plan.search;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.conflict.Conflicts;
import dev.stowage.plan.greedy.Naive;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.time.PositionalMaximums;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Searches for the smallest shared objects of a problem with a {@link ReuseGraph}. */
final class ConflictObjects {

  /*
   * Branch and bound. The search visits the records by descending size. Each goes into an object
   * without a conflicting record, or into a new object of its size. A branch ends when it is not
   * smaller than the best plan.
   */

  /** The largest number of records; each takes a frame of the thread's stack. */
  private static final int MAX_RECORDS = 200;

  /** The largest number of nodes, also if the options permit more. */
  private static final long MAX_NODES = 2_000_000;

  private final PlanProblem problem;
  private final Conflicts conflicts;

  /** The size of a plan that ends the search. */
  private final long goalBytes;

  private final long nodeLimit;
  private final BooleanSupplier stop;
  private final int[] bySize;
  private final int[] objectIds;
  private final List<List<Integer>> members = new ArrayList<>();
  private ObjectsAssignment best;
  private long nodeCount;
  private boolean isOver;

  private ConflictObjects(
      PlanProblem problem,
      Conflicts conflicts,
      ObjectsAssignment best,
      long goalBytes,
      long nodeLimit,
      BooleanSupplier stop) {
    this.problem = problem;
    this.conflicts = conflicts;
    this.best = best;
    this.goalBytes = goalBytes;
    this.nodeLimit = nodeLimit;
    this.stop = stop;
    bySize = IndexOrder.descending(problem.records().size(), i -> problem.records().get(i).bytes());
    objectIds = new int[bySize.length];
  }

  /**
   * {@return the smallest shared objects of a problem with a graph}
   *
   * @param start the plan that the caller offered, if any
   */
  static SearchResult<ObjectsAssignment> search(
      PlanProblem problem,
      SearchOptions options,
      SearchLimit limit,
      Optional<ObjectsAssignment> start) {
    ObjectsAssignment best = bestOfStrategies(problem, limit, start);
    try {
      ConflictForm form = ConflictForm.of(problem, limit.stop());
      return search(problem, options, limit, best, form, form.bounds().objectsBytes());
    } catch (CancellationException e) {
      long boundBytes = PositionalMaximums.sum(ConflictForm.withoutGaps(problem));
      SearchEnd end = limit.isCancelled() ? SearchEnd.CANCELLED : SearchEnd.TIME_LIMIT;
      return new SearchResult<>(best, boundBytes, end(best, boundBytes, options, end), 0);
    }
  }

  private static SearchResult<ObjectsAssignment> search(
      PlanProblem problem,
      SearchOptions options,
      SearchLimit limit,
      ObjectsAssignment start,
      ConflictForm form,
      long formBoundBytes) {
    ObjectsAssignment best = start;
    long boundBytes = formBoundBytes;
    long enoughBytes = options.capacityBytes().orElse(0);
    long nodeCount = 0;
    if (!form.isWidenedExact()
        && problem.records().size() <= MAX_RECORDS
        && best.totalBytes() > Math.max(boundBytes, enoughBytes)
        && options.nodeLimit() > 0) {
      ConflictObjects search =
          new ConflictObjects(
              problem,
              form.conflicts(),
              best,
              Math.max(boundBytes, enoughBytes),
              Math.min(options.nodeLimit(), MAX_NODES),
              limit.stop());
      search.place(0, 0);
      best = search.best;
      nodeCount = search.nodeCount;
      if (!search.isOver && best.totalBytes() > enoughBytes) {
        boundBytes = best.totalBytes();
      }
    }
    SearchEnd end = SearchEnd.NOT_EXHAUSTIVE;
    if (best.totalBytes() > Math.max(boundBytes, enoughBytes)) {
      SearchOptions rest = options.withNodeLimit(Math.max(0, options.nodeLimit() - nodeCount));
      SearchResult<ObjectsAssignment> widened =
          new LifetimeObjects(form.widened(), rest, limit, Optional.empty()).search();
      nodeCount += widened.nodes();
      if (widened.assignment().totalBytes() < best.totalBytes()) {
        best = widened.assignment();
      }
      if (form.isWidenedExact()) {
        boundBytes = Math.max(boundBytes, widened.lowerBoundBytes());
      }
      end = widened.end();
    }
    return new SearchResult<>(best, boundBytes, end(best, boundBytes, options, end), nodeCount);
  }

  /** {@return the reason that the search ended; a proof on widened lifetimes does not count} */
  private static SearchEnd end(
      ObjectsAssignment best, long boundBytes, SearchOptions options, SearchEnd ofWidened) {
    if (best.totalBytes() == boundBytes) {
      return SearchEnd.OPTIMAL;
    }
    if (best.totalBytes() <= options.capacityBytes().orElse(-1)) {
      return SearchEnd.CAPACITY_REACHED;
    }
    return ofWidened.onWidenedLifetimes();
  }

  /** {@return the smallest plan of the strategies that finish in time, or {@code start}} */
  private static ObjectsAssignment bestOfStrategies(
      PlanProblem problem, SearchLimit limit, Optional<ObjectsAssignment> start) {
    ObjectsAssignment best = start.orElseGet(() -> new Naive().planObjects(problem, () -> false));
    for (MemoryPlanner planner : StartPlanners.ofObjects(problem)) {
      if (!limit.isOverForQuickPlans()) {
        try {
          ObjectsAssignment plan = planner.planObjects(problem, limit::isOverForQuickPlans);
          best = plan.totalBytes() < best.totalBytes() ? plan : best;
        } catch (CancellationException e) {
          return best; // no time left
        }
      }
    }
    return best;
  }

  /** Tries all objects for the records from {@code index} on, by descending size. */
  private void place(int index, long bytes) {
    if (bytes >= best.totalBytes() || isOver) {
      return;
    }
    if (index == bySize.length) {
      best = assignment();
      return;
    }
    nodeCount++;
    isOver = nodeCount >= nodeLimit || stop.getAsBoolean();
    int record = bySize[index];
    for (int object = 0; object < members.size(); object++) {
      List<Integer> others = members.get(object);
      if (others.stream().noneMatch(other -> conflicts.conflict(record, other))) {
        objectIds[record] = object;
        others.add(record);
        place(index + 1, bytes);
        others.removeLast();
        if (best.totalBytes() <= goalBytes) {
          return;
        }
      }
    }
    objectIds[record] = members.size();
    members.add(new ArrayList<>(List.of(record)));
    place(index + 1, bytes + problem.records().get(record).bytes());
    members.removeLast();
  }

  private ObjectsAssignment assignment() {
    long[] objectBytes =
        members.stream()
            .mapToLong(records -> problem.records().get(records.getFirst()).bytes())
            .toArray();
    return ObjectsAssignment.of(objectIds, objectBytes);
  }
}
