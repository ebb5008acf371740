package dev.stowage.plan.search;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.greedy.Equality;
import dev.stowage.plan.greedy.Naive;
import dev.stowage.plan.greedy.ObjectList;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.search.objects.ObjectEjection;
import dev.stowage.plan.search.objects.ObjectMembers;
import dev.stowage.plan.search.objects.ObjectRecords;
import dev.stowage.plan.search.objects.ObjectSweep;
import dev.stowage.plan.search.objects.SizeSearch;
import dev.stowage.plan.time.PositionalMaximums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The search for the smallest shared objects of a problem without a graph and without pins. */
final class LifetimeObjects {

  /*
   * The search starts from the smallest plan of the strategies and the sum of the positional
   * maximums, a lower bound. It ends when the two are equal. Until then, it runs phases, each with
   * twice the nodes of the one before:
   *
   *   sweep   searches all records (ObjectSweep), in every third phase. It finds the smallest plan
   *           if few records are live at the same time, as in most networks;
   *   sizes   raises the lower bound by a relaxation of all records, and searches for a plan that
   *           meets it (SizeSearch);
   *   reduce  makes the best plan, or the plan of a strategy, smaller (ObjectEjection), with another
   *           seed in each phase.
   */

  /** The node limits of the parts of the first phase; each later phase doubles them. */
  private static final int SWEEP_NODES = 20_000;

  private static final int SIZE_NODES = 50_000;
  private static final int REDUCE_NODES = 25_000;

  /** The number of records above which the first plan takes a large part of a second. */
  private static final int MANY_RECORDS = 100_000;

  /** The step limit of a round of {@link ObjectEjection}. */
  private static final int ROUND_STEPS = 500;

  /** The largest table of a sweep; a sweep over more is not started. */
  private static final long SWEEP_TABLE_ENTRIES = 4_000_000;

  /** The heap that the states of a sweep may take. */
  private static final long SWEEP_BYTES = 64L << 20;

  private final PlanProblem problem;
  private final SearchOptions options;
  private final SearchLimit limit;
  private final BooleanSupplier stop;
  private final Optional<ObjectsAssignment> offered;
  private final long[] maximums;
  private final long maximumsBytes;

  private final List<ObjectsAssignment> starts = new ArrayList<>();
  private ObjectsAssignment best;

  /** The records that need bytes; none before the first phase. */
  private ObjectRecords records = ObjectRecords.of(PlanProblem.of(List.of()));

  private Optional<SizeSearch> sizes = Optional.empty();
  private long boundBytes;
  private long nodeCount;

  /**
   * Creates a search within a limit that has started.
   *
   * @param offered a plan to start from, if any
   */
  LifetimeObjects(
      PlanProblem problem,
      SearchOptions options,
      SearchLimit limit,
      Optional<ObjectsAssignment> offered) {
    this.problem = problem;
    this.options = options;
    this.limit = limit;
    this.offered = offered;
    stop = limit.stop();
    maximums = Arrays.stream(PositionalMaximums.of(problem)).filter(bytes -> bytes > 0).toArray();
    maximumsBytes = Arrays.stream(maximums).sum();
    boundBytes = maximumsBytes;
    best = new Naive().planObjects(problem, () -> false);
  }

  SearchResult<ObjectsAssignment> search() {
    offered.ifPresent(plan -> best = smaller(plan));
    if (problem.records().size() > MANY_RECORDS && offered.isEmpty()) {
      planFirst();
    }
    plan(planner -> !planner.isSlow());
    if (starts.isEmpty() && offered.isEmpty()) {
      planFirst();
    }
    if (!isOver()) {
      records = ObjectRecords.of(problem);
      sizes = SizeSearch.of(records);
      search(0);
    }
    plan(MemoryPlanner::isSlow);
    for (int phase = 1; !isOver(); phase++) {
      search(phase);
    }
    return new SearchResult<>(best, boundBytes, end(), nodeCount);
  }

  /** Adds the plan of a fast strategy, at any time. */
  private void planFirst() {
    ObjectsAssignment plan = StartPlanners.GREEDY_IN_ORDER.planObjects(problem, () -> false);
    starts.add(plan);
    best = smaller(plan);
  }

  /** Adds the plans of strategies that finish in time. */
  private void plan(Predicate<MemoryPlanner> isChosen) {
    StartPlanners.all().stream()
        .filter(planner -> planner.plansObjects() && isChosen.test(planner))
        .forEach(this::plan);
  }

  private void plan(MemoryPlanner planner) {
    if (!isProved() && !limit.isOverForQuickPlans() && planner.objectsLimit().admits(problem)) {
      try {
        ObjectsAssignment plan = planner.planObjects(problem, limit::isOverForQuickPlans);
        starts.add(plan);
        best = smaller(plan);
      } catch (CancellationException _) {
        // No time is left for this strategy.
      }
    }
  }

  private SearchEnd end() {
    if (isProved()) {
      return SearchEnd.OPTIMAL;
    }
    if (isGoodEnough()) {
      return SearchEnd.CAPACITY_REACHED;
    }
    if (limit.isCancelled()) {
      return SearchEnd.CANCELLED;
    }
    boolean hasReachedNodeLimit = nodeCount >= options.nodeLimit() && !limit.isOver();
    return hasReachedNodeLimit ? SearchEnd.NODE_LIMIT : SearchEnd.TIME_LIMIT;
  }

  private boolean isProved() {
    return best.totalBytes() == boundBytes;
  }

  private boolean isGoodEnough() {
    return best.totalBytes() <= options.capacityBytes().orElse(-1);
  }

  private long goalBytes() {
    return Math.max(boundBytes, options.capacityBytes().orElse(0));
  }

  private boolean isOver() {
    return isProved() || isGoodEnough() || nodeCount >= options.nodeLimit() || stop.getAsBoolean();
  }

  private ObjectsAssignment smaller(ObjectsAssignment plan) {
    return plan.totalBytes() < best.totalBytes() ? plan : best;
  }

  /** Runs a phase: sweep, sizes and reduce. */
  private void search(int phase) {
    int doublings = Math.min(phase, 14);
    if (phase % 3 == 0 && SWEEP_NODES << doublings >= records.count()) {
      sweep(SWEEP_NODES << doublings);
    }
    sizes.ifPresent(search -> searchSizes(search, (long) SIZE_NODES << doublings));
    if (!isOver() && !starts.isEmpty()) {
      reduce(phase, (long) REDUCE_NODES << doublings);
    }
  }

  /** Updates the best plan and the bound by a sweep. */
  private void sweep(int nodes) {
    Optional<ObjectSweep> sweep = ObjectSweep.of(records, maximums, SWEEP_TABLE_ENTRIES);
    if (sweep.isPresent()) {
      long stateBytes = 192 + 12L * maximums.length;
      long nodeLimit =
          Math.min(Math.min(nodes, SWEEP_BYTES / stateBytes), options.nodeLimit() - nodeCount);
      long growthLimitBytes = best.totalBytes() - maximumsBytes;
      ObjectSweep.Outcome outcome = sweep.get().search(growthLimitBytes, nodeLimit, stop);
      nodeCount += outcome.nodeCount();
      boundBytes = Math.max(boundBytes, maximumsBytes + outcome.boundBytes());
      best = outcome.objectIds().map(ids -> smaller(assignment(ids))).orElse(best);
    }
  }

  /** Makes a plan smaller. */
  private void reduce(int phase, long nodes) {
    // Every other phase starts from the plan of a strategy, to leave a local minimum.
    ObjectsAssignment start = phase % 2 == 0 ? best : starts.get(phase / 2 % starts.size());
    int[] objectIds = Arrays.stream(records.indices()).map(start::objectId).toArray();
    ObjectEjection ejection = new ObjectEjection(records, maximums, objectIds, phase);
    long stepNodes = 1L + start.objectCount() / 64;
    long limit = Math.min(nodes, options.nodeLimit() - nodeCount);
    while (ejection.stepCount() * stepNodes < limit
        && ejection.bestBytes() > goalBytes()
        && !stop.getAsBoolean()) {
      ejection.tryRound(ROUND_STEPS, stop);
    }
    nodeCount += ejection.stepCount() * stepNodes;
    if (ejection.bestBytes() < best.totalBytes()) {
      best = assignment(ejection.bestObjectIds());
    }
  }

  /** Raises the bound and makes the best plan smaller. */
  private void searchSizes(SizeSearch search, long nodes) {
    if (isOver()) {
      return;
    }
    long before = search.nodeCount();
    long limit = Math.min(nodes, options.nodeLimit() - nodeCount);
    search.search(best.totalBytes(), goalBytes(), limit, stop);
    nodeCount += search.nodeCount() - before;
    boundBytes = Math.max(boundBytes, search.boundBytes());
    if (search.bestBytes() < best.totalBytes()) {
      best = assignment(search.objectIds().orElseThrow());
    }
  }

  /**
   * {@return a plan of all records from a plan of the records that need bytes}
   *
   * <p>Objects are numbered by their first records; objects of no bytes come last.
   */
  private ObjectsAssignment assignment(int[] objectIds) {
    int[] planned = new int[problem.records().size()];
    Arrays.fill(planned, ObjectMembers.NONE);
    for (int i = 0; i < objectIds.length; i++) {
      planned[records.indices()[i]] = objectIds[i];
    }
    int[] empty =
        IntStream.range(0, planned.length).filter(i -> planned[i] == ObjectMembers.NONE).toArray();
    int[] numbers = new int[Arrays.stream(objectIds).max().orElse(-1) + 1];
    Arrays.fill(numbers, ObjectMembers.NONE);
    ObjectList objects = new ObjectList();
    for (int i = 0; i < planned.length; i++) {
      if (planned[i] != ObjectMembers.NONE) {
        int object = planned[i];
        if (numbers[object] == ObjectMembers.NONE) {
          numbers[object] = objects.add(0);
        }
        planned[i] = numbers[object];
        objects.growTo(planned[i], problem.records().get(i).bytes());
      }
    }
    addEmpty(empty, planned, objects);
    return ObjectsAssignment.of(planned, objects.toArray());
  }

  /** Adds objects of no bytes for the records of no bytes. */
  private void addEmpty(int[] empty, int[] planned, ObjectList objects) {
    List<TensorUsageRecord> emptyRecords =
        Arrays.stream(empty).mapToObj(i -> problem.records().get(i)).toList();
    ObjectsAssignment shared =
        new Equality().planObjects(PlanProblem.of(emptyRecords), () -> false);
    int firstObject = objects.count();
    for (int object = 0; object < shared.objectCount(); object++) {
      objects.add(0);
    }
    for (int k = 0; k < empty.length; k++) {
      planned[empty[k]] = firstObject + shared.objectId(k);
    }
  }
}
