package dev.stowage.core.plan.search;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.UnsupportedProblemException;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.conflict.ConflictForm;
import dev.stowage.core.plan.fit.ArrivalFit;
import dev.stowage.core.plan.search.offsets.PartSearch;
import dev.stowage.core.plan.search.offsets.PartSearches;
import dev.stowage.core.plan.search.offsets.SearchWorkers;
import dev.stowage.core.plan.time.TaskLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Searches for the smallest tensor arena: exact where it can be, never worse than the other
 * strategies.
 *
 * <pre>{@code
 * SearchResult result = OffsetsSearch.of(problem, SearchOptions.defaults()).run();
 * result.assignment().totalBytes();
 * result.isOptimal();
 * }</pre>
 *
 * <p>It starts from the best of many quick plans and from the largest sum of live bytes, which no
 * plan is below. Between the two it places and takes back records, as MiniMalloc does, in many
 * short searches that learn from each other's failures. Where a search has been through everything
 * that a capacity allows, the lower bound rises.
 *
 * <p>With a capacity, it stops at the first plan that fits; if none fits, it goes on to the
 * smallest plan.
 *
 * <p>The quick plans include those of the other strategies, of shared objects too if the lower
 * bound of objects is below the best plan so far. So the answer is no larger than the plan of a
 * strategy that finishes within the time limit, where strategies take their turns one after the
 * other; {@link #offer} holds it to plans that the caller has. Strategies that are too slow for so
 * many records are left out: {@link dev.stowage.core.plan.strategy.MemoryStrategy#comparisonLimit}.
 *
 * <p>The search ends within half a second after its limit, or after {@link #cancel}, for up to
 * 100,000 records; above, the first plan may take longer.
 *
 * <p>With a {@link ReuseGraph}, what is searched is an ordinary problem with gaps in lifetimes in
 * which the same records conflict. Where that would be too large (parallel branches of hundreds of
 * records each), the search is one on widened lifetimes, as {@link
 * dev.stowage.core.plan.strategy.MemoryStrategy} describes; its plan counts if it is below those of
 * all strategies, and its lower bound does not.
 *
 * <p>Unless it is cut by time, the answer is the same on every machine and with any number of
 * threads. For one run; {@link #cancel} may be called by any thread.
 */
public final class OffsetsSearch {

  /** When a search ends, besides with the smallest plan and with its limit. */
  private enum Goal {
    /** With the first plan within the capacity; if there is none, with the smallest plan. */
    PLAN,
    /** Once it is known whether there is a plan within the capacity. */
    ANSWER
  }

  /** The problem of the caller. */
  private final PlanProblem given;

  /** The problem that is searched: without a graph; its plans are plans of the given one. */
  private PlanProblem problem;

  private final SearchOptions options;
  private final SearchLimit limit;
  private final Goal goal;

  /** The smallest plan to start from. */
  private Optional<OffsetsAssignment> offered = Optional.empty();

  private long lowerBytes;

  /** Before the first plan, one that is larger than any. */
  private OffsetsAssignment best = OffsetsAssignment.of(new long[0], Long.MAX_VALUE);

  private long nodes;

  private OffsetsSearch(PlanProblem given, SearchOptions options, SearchLimit limit, Goal goal) {
    this.given = given;
    this.options = options;
    this.limit = limit;
    this.goal = goal;
    problem = given.reuseGraph().isPresent() ? ConflictForm.withoutGaps(given) : given;
    lowerBytes = TaskLoad.leastArenaBytes(problem);
  }

  /**
   * {@return a search; its time begins here}
   *
   * @param problem what is to be planned
   * @param options when to end, and what to use
   */
  public static OffsetsSearch of(PlanProblem problem, SearchOptions options) {
    return of(problem, options, System::nanoTime);
  }

  /** {@return a search whose time is told by a clock in nanoseconds} */
  static OffsetsSearch of(PlanProblem problem, SearchOptions options, LongSupplier nanoTime) {
    return of(problem, options, nanoTime, Goal.PLAN);
  }

  /**
   * {@return a search that also ends once no plan can be within the capacity}
   *
   * <p>Its lower bound is the answer then, and its plan is any.
   */
  public static OffsetsSearch forAnswer(
      PlanProblem problem, SearchOptions options, LongSupplier nanoTime) {
    return of(problem, options, nanoTime, Goal.ANSWER);
  }

  private static OffsetsSearch of(
      PlanProblem problem, SearchOptions options, LongSupplier nanoTime, Goal goal) {
    return new OffsetsSearch(
        problem, options, new SearchLimit(options.timeLimit(), nanoTime), goal);
  }

  /**
   * Has the search start from a plan: its answer is no larger.
   *
   * <p>For the thread that runs the search, before it does. O(n log n).
   *
   * @param plan an assignment for the problem
   * @throws IllegalArgumentException if {@code plan} is not valid
   */
  public void offer(OffsetsAssignment plan) {
    AssignmentChecker.violation(given, plan)
        .ifPresent(violation -> {
          throw new IllegalArgumentException("a plan to start from is not valid: " + violation);
        });
    if (offered.isEmpty() || plan.totalBytes() < offered.get().totalBytes()) {
      offered = Optional.of(plan);
    }
  }

  /** Ends the search soon; its answer is the best plan so far. Any thread may call this. */
  public void cancel() {
    limit.cancel();
  }

  /**
   * {@return the best plan found: the first one within the capacity asked for, the smallest one, or
   * the best one when the time was over}
   *
   * <p>A thread that is interrupted cancels the search, and stays interrupted.
   */
  public SearchResult run() {
    return given.reuseGraph().isPresent() ? searchWithGraph() : search();
  }

  /**
   * {@return the answer for a problem with a graph}
   *
   * <p>Strategies come first: preparing the search of a large graph may take all the time.
   */
  private SearchResult searchWithGraph() {
    offerIfPossible(ConflictPlans.ofExactStrategies(given));
    try {
      ConflictForm form = ConflictForm.of(given, limit.stop());
      offerIfPossible(ConflictPlans.ofObjects(given, form));
      Optional<PlanProblem> exact = form.exact();
      problem = exact.orElseGet(form::widened);
      if (exact.isPresent()) {
        lowerBytes = TaskLoad.leastArenaBytes(problem);
        return search();
      }
      ConflictPlans plans = new ConflictPlans(given, form, bestOffered());
      offered = Optional.empty(); // need not be a plan of the widened problem
      lowerBytes = TaskLoad.leastArenaBytes(problem);
      return plans.run(this::search, options.capacityBytes(), endOfStarts());
    } catch (CancellationException e) {
      best = bestOffered(); // there was no time for a search
      return new SearchResult(best, lowerBytes, end(), nodes);
    }
  }

  /** {@return the smallest plan to start from; without one, a plan in which nothing is shared} */
  private OffsetsAssignment bestOffered() {
    return offered.orElseGet(() -> ArrivalFit.plan(ConflictForm.withoutSharing(given)));
  }

  /** {@return the reason that no more plans to start from were made} */
  private SearchResult.End endOfStarts() {
    if (!limit.isOverForQuickPlans()) {
      return SearchResult.End.NOT_EXHAUSTIVE;
    }
    return limit.isCancelled() ? SearchResult.End.CANCELLED : SearchResult.End.TIME_LIMIT;
  }

  private void offerIfPossible(List<Function<BooleanSupplier, OffsetsAssignment>> starts) {
    starts.stream()
        .filter(start -> !limit.isOverForQuickPlans())
        .flatMap(start -> planIfPossible(start).stream())
        .forEach(this::offer);
  }

  private Optional<OffsetsAssignment> planIfPossible(
      Function<BooleanSupplier, OffsetsAssignment> start) {
    try {
      return Optional.of(start.apply(limit::isOverForQuickPlans));
    } catch (UnsupportedProblemException | CancellationException e) {
      return Optional.empty(); // objects that cannot be laid out, or there was no time
    }
  }

  private SearchResult search() {
    QuickPlans plans = new QuickPlans(problem, limit);
    best = isAnswered() ? ArrivalFit.plan(problem) : plans.first(offered);
    if (best.totalBytes() > lowerBytes && !limit.isOverForQuickPlans()) {
      try (SearchWorkers workers = new SearchWorkers(options.threads())) {
        makeQuickPlans(plans, workers);
        if (isOpen()) {
          searchParts(workers);
        }
      }
    }
    return new SearchResult(best, lowerBytes, end(), nodes);
  }

  private boolean isOpen() {
    return isUndecided() && nodes < options.nodeLimit() && !limit.isOver();
  }

  private boolean isUndecided() {
    return best.totalBytes() > goalBytes() && !isAnswered();
  }

  private boolean isAnswered() {
    return goal == Goal.ANSWER
        && (best.totalBytes() <= goalBytes() || lowerBytes > options.capacityBytes().orElse(0));
  }

  /** {@return the size of arena at which the search ends} */
  private long goalBytes() {
    return Math.max(lowerBytes, options.capacityBytes().orElse(0));
  }

  private SearchResult.End end() {
    if (best.totalBytes() == lowerBytes) {
      return SearchResult.End.OPTIMAL;
    }
    if (best.totalBytes() <= options.capacityBytes().orElse(0)) {
      return SearchResult.End.CAPACITY_REACHED;
    }
    if (limit.isCancelled()) {
      return SearchResult.End.CANCELLED;
    }
    boolean isOfNodes = nodes >= options.nodeLimit() && !limit.isOver();
    return isOfNodes ? SearchResult.End.NODE_LIMIT : SearchResult.End.TIME_LIMIT;
  }

  /** Makes the plans of all strategies; once one is good enough, of strategies alone. */
  private void makeQuickPlans(QuickPlans plans, SearchWorkers workers) {
    while (best.totalBytes() > lowerBytes && !isAnswered() && !limit.isOverForQuickPlans()) {
      List<QuickPlans.Attempt> attempts = plans.next(best.totalBytes(), !isUndecided());
      if (attempts.isEmpty()) {
        return;
      }
      workers.runAll(attempts, this::cancel);
      for (QuickPlans.Attempt attempt : attempts) {
        attempt
            .plan()
            .filter(plan -> plan.totalBytes() < best.totalBytes())
            .ifPresent(plan -> best = plan);
      }
      tellProgress();
    }
  }

  private void searchParts(SearchWorkers workers) {
    PartSearches parts = new PartSearches(problem, best, limit.stop());
    while (isOpen()) {
      try {
        parts.beginAbove(goalBytes());
      } catch (CancellationException e) {
        return; // the search is over
      }
      lowerBytes = Math.max(lowerBytes, parts.lowerBytes());
      if (isOpen()) {
        searchForARound(parts, workers);
        tellProgress();
      }
    }
  }

  private void searchForARound(PartSearches parts, SearchWorkers workers) {
    List<PartSearch.Round> rounds = new ArrayList<>();
    List<Runnable> turns = new ArrayList<>();
    for (PartSearch part : parts.searches()) {
      if (part.upperBytes() > goalBytes()) {
        PartSearch.Round round = part.nextRound(goalBytes(), limit.stop());
        rounds.add(round);
        turns.addAll(round.turns());
      }
    }
    workers.runAll(turns, this::cancel);
    rounds.forEach(PartSearch.Round::end);
    OffsetsAssignment assembled = parts.assemble();
    if (assembled.totalBytes() < best.totalBytes()) {
      best = assembled;
    }
    lowerBytes = Math.max(lowerBytes, parts.lowerBytes());
    nodes = parts.nodes();
  }

  private void tellProgress() {
    options
        .progress()
        .accept(
            new SearchProgress(
                best.totalBytes(), lowerBytes, nodes, Duration.ofNanos(limit.elapsedNanos())));
  }
}
