package dev.stowage.core.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

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
 * <p>Whatever the time limit, the quick plans are those of all strategies, also of shared objects,
 * one after the other, if the lower bound of objects is below the best plan so far. That may take a
 * second more than the limit for 1,000 records, and five for 20,000. Left out is what is too slow
 * for so many records: {@link MemoryStrategy#MINCOSTFLOW} above 1,000, objects by {@link
 * MemoryStrategy#GREEDY_BY_SIZE}, and with them {@link MemoryStrategy#GREEDY_BEST}, above 20,000,
 * and, if the time is over by then, {@link MemoryStrategy#GREEDY_BY_BREADTH} above 100,000.
 *
 * <p>Unless it is cut by time, the answer is the same on every machine and with any number of
 * threads. For one run; {@link #cancel} may be called by any thread.
 */
public final class OffsetsSearch {

  /** Beyond that many movable records in one part, they are not searched through. */
  private static final int SEARCHED_RECORD_LIMIT = 4000;

  private final PlanProblem problem;
  private final SearchOptions options;
  private final long startNanos = System.nanoTime();
  private final BooleanSupplier stop;
  private volatile boolean cancelled;
  private volatile boolean outOfTime;

  private long lowerBytes;
  private OffsetsAssignment best;
  private long nodes;

  private OffsetsSearch(PlanProblem problem, SearchOptions options) {
    this.problem = problem;
    this.options = options;
    long limitNanos = nanos(options.timeLimit());
    stop =
        () -> {
          if (!outOfTime && System.nanoTime() - startNanos >= limitNanos) {
            outOfTime = true;
          }
          return cancelled || outOfTime;
        };
    lowerBytes = lowerBytes(problem);
    best = firstPlan(problem);
  }

  /**
   * {@return a search that has a first plan; its time begins here}
   *
   * @param problem what is to be planned
   * @param options when to end, and what to use
   */
  public static OffsetsSearch of(PlanProblem problem, SearchOptions options) {
    return new OffsetsSearch(problem, options);
  }

  /** {@return a plan; where there are hints, one that follows them, which ties go to} */
  private static OffsetsAssignment firstPlan(PlanProblem problem) {
    if (problem.records().stream().noneMatch(record -> record.hint().isPresent())) {
      return MemoryStrategy.TFLM_GREEDY.planOffsets(problem);
    }
    OrderedFit fit = new OrderedFit(problem);
    int[] order = new RecordOrders(problem, fit).byHint();
    return fit.place(order, OrderedFit.Fit.HINTED, () -> false).orElseThrow();
  }

  /** {@return a duration in nanoseconds, at most {@link Long#MAX_VALUE}} */
  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE; // 292 years are no limit
    }
  }

  /** {@return the load, or where a record ends at least, even one that never needs a byte} */
  private static long lowerBytes(PlanProblem problem) {
    long bytes = LowerBounds.load(problem);
    for (TensorUsageRecord record : problem.records()) {
      bytes = Math.max(bytes, record.pinnedOffset().orElse(0) + record.bytes());
    }
    return bytes;
  }

  /**
   * Has the search start from a plan if it is smaller than what the search has so far.
   *
   * <p>For the thread that runs the search, before it does. O(n log n) where the plan is smaller.
   *
   * @param plan an assignment for the problem
   * @throws IllegalArgumentException if {@code plan} is smaller, but not valid
   */
  public void offer(OffsetsAssignment plan) {
    if (plan.totalBytes() >= best.totalBytes()) {
      return;
    }
    AssignmentChecker.violation(problem, plan)
        .ifPresent(violation -> {
          throw new IllegalArgumentException("a plan to start from is not valid: " + violation);
        });
    best = plan;
  }

  /** Ends the search soon; its answer is the best plan so far. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * {@return the best plan found, once there is no better one, it fits into the capacity asked for,
   * none can, or the time is over}
   *
   * <p>A thread that is interrupted cancels the search, and stays interrupted.
   */
  public SearchResult run() {
    if (isUndecided() && !cancelled) {
      try (SearchWorkers workers = new SearchWorkers(options.threads())) {
        makeQuickPlans(workers);
        if (isOpen()) {
          searchParts(workers);
        }
      }
    }
    return new SearchResult(best, lowerBytes, end(), nodes);
  }

  private boolean isOpen() {
    return isUndecided() && !stop.getAsBoolean();
  }

  private boolean isUndecided() {
    return best.totalBytes() > goalBytes() && lowerBytes <= capacityBytes();
  }

  private long capacityBytes() {
    return options.capacityBytes().orElse(Long.MAX_VALUE);
  }

  /** {@return the size of arena at which the search ends} */
  private long goalBytes() {
    return Math.max(lowerBytes, options.capacityBytes().orElse(0));
  }

  private SearchResult.End end() {
    if (best.totalBytes() == lowerBytes) {
      return SearchResult.End.OPTIMAL;
    }
    if (options.capacityBytes().isPresent()) {
      if (best.totalBytes() <= capacityBytes()) {
        return SearchResult.End.CAPACITY_REACHED;
      }
      if (lowerBytes > capacityBytes()) {
        return SearchResult.End.CAPACITY_IMPOSSIBLE;
      }
    }
    return cancelled ? SearchResult.End.CANCELLED : SearchResult.End.TIME_LIMIT;
  }

  /** Makes the plans of all strategies, whatever the time, so that none is better. */
  private void makeQuickPlans(SearchWorkers workers) {
    QuickPlans plans = new QuickPlans(problem, stop);
    List<QuickPlans.Attempt> attempts = plans.next(best.totalBytes());
    do {
      workers.runAll(attempts, this::cancel);
      for (QuickPlans.Attempt attempt : attempts) {
        attempt
            .plan()
            .filter(plan -> plan.totalBytes() < best.totalBytes())
            .ifPresent(plan -> best = plan);
      }
      tellProgress();
      attempts = plans.next(best.totalBytes());
    } while (isUndecided() && !cancelled && !attempts.isEmpty());
  }

  private void searchParts(SearchWorkers workers) {
    List<PartSearch> parts = parts();
    raiseLowerBound(parts);
    while (isOpen()) {
      List<PartSearch.Round> rounds = new ArrayList<>();
      List<Runnable> turns = new ArrayList<>();
      for (PartSearch part : parts) {
        if (part.upperBytes() > goalBytes()) {
          PartSearch.Round round = part.nextRound(goalBytes(), stop);
          rounds.add(round);
          turns.addAll(round.turns());
        }
      }
      workers.runAll(turns, this::cancel);
      rounds.forEach(PartSearch.Round::end);
      raiseLowerBound(parts);
      nodes = parts.stream().mapToLong(PartSearch::nodes).sum();
      assemble(parts);
      tellProgress();
    }
  }

  private List<PartSearch> parts() {
    List<PartSearch> parts = new ArrayList<>();
    for (int[] indices : ConflictPart.split(problem)) {
      PlanProblem ofPart =
          new PlanProblem(
              Arrays.stream(indices).mapToObj(problem.records()::get).toList(),
              problem.alignment(),
              Optional.empty());
      int[] movable = Arrays.stream(indices).filter(i -> !isPinned(i)).toArray();
      int[] pinned = Arrays.stream(indices).filter(this::isPinned).toArray();
      if (movable.length > SEARCHED_RECORD_LIMIT) {
        parts.add(new LargePartSearch(indices, ofPart, lowerBytes(ofPart), best));
      } else if (movable.length > 0) {
        parts.add(new ExactPartSearch(problem, movable, pinned, lowerBytes(ofPart), best));
      }
    }
    return parts;
  }

  private boolean isPinned(int record) {
    return problem.records().get(record).pinnedOffset().isPresent();
  }

  private void raiseLowerBound(List<PartSearch> parts) {
    for (PartSearch part : parts) {
      lowerBytes = Math.max(lowerBytes, part.lowerBytes());
    }
  }

  private void assemble(List<PartSearch> parts) {
    long[] offsets = best.offsets();
    for (int i = 0; i < offsets.length; i++) {
      if (!isPinned(i) && !ConflictPart.needsBytes(problem.records().get(i))) {
        offsets[i] = 0; // of no part, and in nobody's way
      }
    }
    for (PartSearch part : parts) {
      part.copyOffsets(offsets);
    }
    OffsetsAssignment assembled = OffsetsAssignment.ofPlaced(problem, offsets);
    if (assembled.totalBytes() < best.totalBytes()) {
      best = assembled;
    }
  }

  private void tellProgress() {
    options
        .progress()
        .accept(
            new SearchProgress(
                best.totalBytes(),
                lowerBytes,
                nodes,
                Duration.ofNanos(System.nanoTime() - startNanos)));
  }
}
