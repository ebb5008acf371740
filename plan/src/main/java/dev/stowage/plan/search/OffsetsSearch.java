package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.fit.ArrivalFit;
import dev.stowage.plan.search.offsets.PartitionSearch;
import dev.stowage.plan.search.offsets.PartitionSearches;
import dev.stowage.plan.search.offsets.SearchWorkers;
import dev.stowage.plan.time.TaskLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A search for the smallest tensor arena of a problem, with a proved lower bound.
 *
 * {@snippet :
 * SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, SearchOptions.defaults()).run();
 * result.assignment().totalBytes();
 * result.isOptimal();
 * }
 *
 * <p>The search starts from the plans of the strategies and of other quick orders. The first lower
 * bound is the load. Between the two, the search places records one by one and takes them back, as
 * MiniMalloc does, in many short runs that learn from the failures before. Each run that tries all
 * placements within a capacity raises the lower bound.
 *
 * <p>With a capacity, the search stops at the first plan that fits. If no plan fits, the search
 * continues to the smallest plan.
 *
 * <p>The result is not larger than the plan of any strategy that finishes within the time limit,
 * nor than any plan passed to {@link #offer}. The search omits strategies that are too slow for the
 * number of records: {@link dev.stowage.plan.strategy.MemoryStrategy#comparesOffsets}. For more
 * than 100,000 records, strategies take seconds and come last, so the limit may be reached before
 * them.
 *
 * <p>The search ends within half a second after its time limit or after {@link #cancel}, for up to
 * 100,000 records. For more records, the first plan may take longer.
 *
 * <p>If the problem has a {@link ReuseGraph}, the search runs on a problem without a graph but with
 * the same conflicts. If that problem would be too large (parallel branches of hundreds of records
 * each), the search runs on widened lifetimes, as {@link dev.stowage.plan.strategy.MemoryStrategy}
 * describes. Its lower bound is then not used.
 *
 * <p>If the problem has records in place of others ({@link PlanProblem#withInPlace}), the search
 * decides for each pair whether the plan uses it. The result is then also not larger than without
 * these records, unless a limit ends the search.
 *
 * <p>Unless time, {@link #cancel} or an interrupt ends the search, the result is the same on every
 * machine and for any number of threads. A search runs once, in the thread that calls {@link #run};
 * it starts other threads only if {@link SearchOptions#threads} is above 1. Any thread may call
 * {@link #cancel}.
 */
public final class OffsetsSearch {

  /** The problem of the caller. */
  private final PlanProblem given;

  /** A problem without a graph; its plans are plans of the given problem. */
  private PlanProblem problem;

  private final SearchOptions options;
  private final SearchLimit limit;

  /** See {@link QuickPlans#HUGE_RECORDS}. */
  private final int hugeRecords;

  private boolean hasRun;

  /** The smallest plan to start from. */
  private Optional<OffsetsAssignment> offered = Optional.empty();

  private long lowerBytes;

  /** The smallest plan; before the first one, a plan that is larger than any. */
  private OffsetsAssignment best = OffsetsAssignment.of(new long[0], Long.MAX_VALUE);

  private long nodes;

  private OffsetsSearch(
      PlanProblem problem, SearchOptions options, SearchLimit limit, int hugeRecords) {
    given = problem;
    this.hugeRecords = hugeRecords;
    this.problem = problem;
    this.options = options;
    this.limit = limit;
  }

  /**
   * {@return a search, which {@link #run} starts}
   *
   * @param problem the records
   * @param options the limits, the capacity and the number of threads
   */
  public static OffsetsSearch of(PlanProblem problem, SearchOptions options) {
    return of(problem, options, System::nanoTime);
  }

  /** {@return a search with a clock in nanoseconds} */
  static OffsetsSearch of(PlanProblem problem, SearchOptions options, LongSupplier nanoTime) {
    return of(problem, options, nanoTime, QuickPlans.HUGE_RECORDS);
  }

  /** {@return a search that treats problems of more than {@code hugeRecords} records as huge} */
  static OffsetsSearch of(
      PlanProblem problem, SearchOptions options, LongSupplier nanoTime, int hugeRecords) {
    return new OffsetsSearch(
        problem, options, new SearchLimit(options.timeLimit(), nanoTime), hugeRecords);
  }

  /**
   * Adds a plan to start from: the result is not larger.
   *
   * <p>The thread that runs the search calls this before {@link #run}. O(n log n).
   *
   * @param plan an assignment for the problem
   * @throws IllegalArgumentException if {@code plan} is not valid
   * @throws IllegalStateException if the search has run
   */
  public void offer(OffsetsAssignment plan) {
    checkNotRun();
    AssignmentChecker.violation(given, plan)
        .ifPresent(violation -> {
          throw new IllegalArgumentException("the offered plan is not valid: " + violation);
        });
    takeIfSmaller(plan);
  }

  private void takeIfSmaller(OffsetsAssignment plan) {
    if (offered.isEmpty() || plan.totalBytes() < offered.get().totalBytes()) {
      offered = Optional.of(plan);
    }
  }

  /** Ends the search soon; the result is the best plan so far. Any thread may call this. */
  public void cancel() {
    limit.cancel();
  }

  /**
   * Runs the search.
   *
   * <p>The time limit starts here. An interrupt of the calling thread cancels the search, and the
   * interrupt status stays set.
   *
   * @return the first plan within the capacity, the smallest plan, or the best one so far if a
   *     limit ends the search
   * @throws IllegalStateException if the search has run
   */
  public SearchResult<OffsetsAssignment> run() {
    checkNotRun();
    hasRun = true;
    limit.start();
    return given.usableInPlace().isEmpty()
        ? searchLifetimes()
        : new InPlaceSearch(given, options, limit, this::searchForm, offered).run();
  }

  /** {@return the result for a form of this problem, within the limits of this search} */
  private SearchResult<OffsetsAssignment> searchForm(
      PlanProblem form, SearchOptions formOptions, Optional<OffsetsAssignment> start) {
    OffsetsSearch search = new OffsetsSearch(form, formOptions, limit, hugeRecords);
    start.ifPresent(search::takeIfSmaller);
    return search.searchLifetimes();
  }

  /** {@return the result for a problem without records in place} */
  private SearchResult<OffsetsAssignment> searchLifetimes() {
    problem = given.reuseGraph().isPresent() ? ConflictForm.withoutGaps(given) : given;
    lowerBytes = TaskLoad.minArenaBytes(problem);
    return given.reuseGraph().isPresent() ? searchWithGraph() : search();
  }

  private void checkNotRun() {
    if (hasRun) {
      throw new IllegalStateException("a search runs only once: create another OffsetsSearch");
    }
  }

  /**
   * {@return the result for a problem with a graph}
   *
   * <p>Strategies come first: preparing the search of a large graph may take all the time.
   */
  private SearchResult<OffsetsAssignment> searchWithGraph() {
    offerIfPossible(ConflictPlans.ofExactStrategies(given));
    try {
      ConflictForm form = ConflictForm.of(given, limit.stop());
      offerIfPossible(ConflictPlans.ofObjects(given, form));
      Optional<PlanProblem> exact = form.exact();
      problem = exact.orElseGet(form::widened);
      if (exact.isPresent()) {
        lowerBytes = TaskLoad.minArenaBytes(problem);
        return search();
      }
      ConflictPlans plans = new ConflictPlans(given, form, bestOffered());
      offered = Optional.empty(); // it may not be a plan of the widened problem
      lowerBytes = TaskLoad.minArenaBytes(problem);
      return plans.run(this::search, options.capacityBytes(), endOfStarts());
    } catch (CancellationException e) {
      best = bestOffered(); // no time left for a search
      return new SearchResult<>(best, lowerBytes, end(), nodes);
    }
  }

  /** {@return the smallest plan to start from; without one, a plan that shares nothing} */
  private OffsetsAssignment bestOffered() {
    return offered.orElseGet(() -> ArrivalFit.plan(ConflictForm.withoutSharing(given)));
  }

  /** {@return the limit that stopped the strategies; if none did, {@code NOT_EXHAUSTIVE}} */
  private SearchEnd endOfStarts() {
    if (!limit.isOverForQuickPlans()) {
      return SearchEnd.NOT_EXHAUSTIVE;
    }
    return limit.isCancelled() ? SearchEnd.CANCELLED : SearchEnd.TIME_LIMIT;
  }

  /** Adds the plans of strategies that finish in time and support the problem. */
  private void offerIfPossible(List<Function<BooleanSupplier, OffsetsAssignment>> starts) {
    starts.stream()
        .filter(start -> !limit.isOverForQuickPlans())
        .flatMap(start -> planIfPossible(start).stream())
        .forEach(this::takeIfSmaller);
  }

  private Optional<OffsetsAssignment> planIfPossible(
      Function<BooleanSupplier, OffsetsAssignment> start) {
    try {
      return Optional.of(start.apply(limit::isOverForQuickPlans));
    } catch (UnsupportedProblemException | CancellationException e) {
      return Optional.empty(); // the objects cannot be laid out, or no time left
    }
  }

  private SearchResult<OffsetsAssignment> search() {
    QuickPlans plans = new QuickPlans(problem, limit, hugeRecords);
    best = isCapacityDecided() ? ArrivalFit.plan(problem) : plans.first(offered);
    if (best.totalBytes() > lowerBytes && !limit.isOverForQuickPlans()) {
      try (SearchWorkers workers = new SearchWorkers(options.threads())) {
        makeQuickPlans(plans, workers);
        if (isOpen()) {
          searchPartitions(plans, workers);
        }
      }
    }
    return new SearchResult<>(best, lowerBytes, end(), nodes);
  }

  /** {@return true if the search may continue} */
  private boolean isOpen() {
    return isUndecided() && nodes < options.nodeLimit() && !limit.isOver();
  }

  /** {@return true if a smaller plan is of interest} */
  private boolean isUndecided() {
    return best.totalBytes() > goalBytes() && !isCapacityDecided();
  }

  /** {@return true if the options ask for a capacity decision and the bounds imply one} */
  private boolean isCapacityDecided() {
    return options.isCapacityDecision()
        && (best.totalBytes() <= goalBytes() || lowerBytes > options.capacityBytes().orElse(0));
  }

  /** {@return the size of an arena that ends the search} */
  private long goalBytes() {
    return Math.max(lowerBytes, options.capacityBytes().orElse(0));
  }

  private SearchEnd end() {
    if (best.totalBytes() == lowerBytes) {
      return SearchEnd.OPTIMAL;
    }
    if (best.totalBytes() <= options.capacityBytes().orElse(0)) {
      return SearchEnd.CAPACITY_REACHED;
    }
    if (limit.isCancelled()) {
      return SearchEnd.CANCELLED;
    }
    boolean hasReachedNodeLimit = nodes >= options.nodeLimit() && !limit.isOver();
    return hasReachedNodeLimit ? SearchEnd.NODE_LIMIT : SearchEnd.TIME_LIMIT;
  }

  /** Makes the quick plans; after one that is good enough, only the plans of strategies. */
  private void makeQuickPlans(QuickPlans plans, SearchWorkers workers) {
    while (best.totalBytes() > lowerBytes && !isCapacityDecided() && !limit.isOverForQuickPlans()) {
      List<QuickPlans.Attempt> attempts = plans.next(best.totalBytes(), !isUndecided());
      if (attempts.isEmpty()) {
        return;
      }
      workers.runAll(attempts, this::cancel);
      attempts.forEach(this::takeIfBest);
      reportProgress();
    }
  }

  private void takeIfBest(QuickPlans.Attempt attempt) {
    attempt
        .plan()
        .filter(plan -> plan.totalBytes() < best.totalBytes())
        .ifPresent(plan -> best = plan);
  }

  private void searchPartitions(QuickPlans plans, SearchWorkers workers) {
    PartitionSearches partitions = new PartitionSearches(problem, best, limit.stop());
    while (isOpen()) {
      try {
        partitions.startAbove(goalBytes());
      } catch (CancellationException e) {
        return; // the search is over
      }
      lowerBytes = Math.max(lowerBytes, partitions.lowerBytes());
      if (isOpen()) {
        Optional<QuickPlans.Attempt> beside = plans.nextBesideSearch(best.totalBytes());
        searchRound(partitions, beside, workers);
        beside.ifPresent(this::takeIfBest);
        reportProgress();
      }
    }
  }

  /**
   * Runs a round of the search of each partition that is still too high.
   *
   * @param beside an attempt to make in parallel
   */
  private void searchRound(
      PartitionSearches partitions, Optional<QuickPlans.Attempt> beside, SearchWorkers workers) {
    List<PartitionSearch.Round> rounds = new ArrayList<>();
    List<Runnable> turns = new ArrayList<>();
    for (PartitionSearch partition : partitions.searches()) {
      if (partition.upperBytes() > goalBytes()) {
        PartitionSearch.Round round = partition.nextRound(goalBytes(), limit.stop());
        rounds.add(round);
        turns.addAll(round.turns());
      }
    }
    beside.ifPresent(turns::add);
    workers.runAll(turns, this::cancel);
    rounds.forEach(PartitionSearch.Round::end);
    OffsetsAssignment assembled = partitions.assemble();
    if (assembled.totalBytes() < best.totalBytes()) {
      best = assembled;
    }
    lowerBytes = Math.max(lowerBytes, partitions.lowerBytes());
    nodes = partitions.nodes();
  }

  private void reportProgress() {
    options
        .progress()
        .accept(
            new SearchProgress(
                best.totalBytes(), lowerBytes, nodes, Duration.ofNanos(limit.elapsedNanos())));
  }
}
