package dev.stowage.plan.search;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A search for the smallest shared objects of a problem, with a proved lower bound.
 *
 * <p>Shared objects are for memory that cannot be sub-allocated. A record with gaps holds its
 * object throughout its lifetime.
 *
 * <p>The search starts from the plans of the strategies and from a lower bound, the sum of the
 * positional maximums. A linear relaxation raises the bound and guides the search to small plans.
 * The relaxation takes up to 100 MB. The search omits it if the records have more than a million
 * possible sizes of objects together, or end at too many different tasks.
 *
 * <p>With a capacity, the search stops at the first plan that fits. If no plan fits, the search
 * continues to the smallest plan.
 *
 * <p>If the problem has a {@link dev.stowage.plan.ReuseGraph}, the search is exhaustive for a few
 * records. Otherwise it runs on widened lifetimes, as {@link
 * dev.stowage.plan.strategy.MemoryStrategy} describes.
 *
 * <p>The search ends within half a second after its time limit or after {@link #cancel}, for up to
 * 100,000 records. For more records, the first plan may take longer. A search runs once, in the
 * thread that calls {@link #run}. Any thread may call {@link #cancel}.
 */
public final class ObjectsSearch {

  private final PlanProblem problem;
  private final SearchOptions options;
  private final SearchLimit limit;
  private Optional<ObjectsAssignment> offered = Optional.empty();
  private boolean hasRun;

  ObjectsSearch(PlanProblem problem, SearchOptions options, SearchLimit limit) {
    if (problem.hasPins()) {
      throw new UnsupportedProblemException(
          "ObjectsSearch cannot place pinned records in shared objects");
    }
    this.problem = problem;
    this.options = options;
    this.limit = limit;
  }

  /**
   * {@return a search, which {@link #run} starts}
   *
   * @param problem the records
   * @param options the limits and the capacity; the search ignores threads and the listener. At 0
   *     nodes, only strategies plan
   * @throws IllegalArgumentException if a record is pinned
   */
  public static ObjectsSearch of(PlanProblem problem, SearchOptions options) {
    return of(problem, options, System::nanoTime);
  }

  /** {@return a search with a clock in nanoseconds} */
  static ObjectsSearch of(PlanProblem problem, SearchOptions options, LongSupplier nanoTime) {
    return new ObjectsSearch(problem, options, new SearchLimit(options.timeLimit(), nanoTime));
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
  public void offer(ObjectsAssignment plan) {
    checkNotRun();
    AssignmentChecker.violation(problem, plan)
        .ifPresent(violation -> {
          throw new IllegalArgumentException("the offered plan is not valid: " + violation);
        });
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
   * <p>The time limit starts here. The result is not larger than the plan of any strategy that
   * finishes within the time limit and admits the problem by its comparison limit. The same problem
   * and options give the same result, unless time, {@link #cancel} or an interrupt of the calling
   * thread ends the search.
   *
   * @return the first objects within the capacity, the smallest ones, or the best ones so far if a
   *     limit ends the search
   * @throws IllegalStateException if the search has run
   */
  public SearchResult<ObjectsAssignment> run() {
    checkNotRun();
    hasRun = true;
    limit.start();
    return problem.reuseGraph().isPresent()
        ? ConflictObjects.search(problem, options, limit, offered)
        : new LifetimeObjects(problem, options, limit, offered).search();
  }

  private void checkNotRun() {
    if (hasRun) {
      throw new IllegalStateException("a search runs only once: create another ObjectsSearch");
    }
  }
}
