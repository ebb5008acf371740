package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A search for the cheapest plan in several banks, with a proved lower bound.
 *
 * <p>The search starts from the plan of {@link BankedStrategy#BANKED_GREEDY}, or from that of
 * {@link BankedPacking}; the result never costs more than either, unless the time limit ends the
 * first one. The lower bound is a linear relaxation of the live bytes at each task. Between the
 * two, a branch and bound assigns records to banks, and {@link
 * dev.stowage.plan.search.OffsetsSearch} decides whether the records of a bank fit into it.
 *
 * <p>Of the options, the search uses the time limit and the node limit. Unless time, {@link
 * #cancel} or an interrupt ends the search, the result is the same on every machine. A search runs
 * once, in the thread that calls {@link #run}. Any thread may call {@link #cancel}.
 */
public final class BankedSearch {

  /** The first node limit of each search for offsets. */
  private static final long PLACEMENT_NODES = 10_000;

  /** About two seconds. */
  private static final long MAX_RELAXATION_STEPS = 1L << 30;

  private final BankedProblem problem;
  private final BankedLimit limit;
  private boolean hasRun;

  private BankedSearch(BankedProblem problem, SearchOptions options, LongSupplier nanoTime) {
    this.problem = problem;
    limit = new BankedLimit(options, nanoTime);
  }

  /**
   * {@return a search, which {@link #run} starts}
   *
   * @param problem the records and the banks
   * @param options the time limit and the node limit
   */
  public static BankedSearch of(BankedProblem problem, SearchOptions options) {
    return new BankedSearch(problem, options, System::nanoTime);
  }

  /** Ends the search soon; the result is the best plan so far. Any thread may call this. */
  public void cancel() {
    limit.cancel();
  }

  /**
   * Runs the search.
   *
   * <p>The time limit starts here.
   *
   * @return the cheapest plan, or the best one so far if a limit ends the search
   * @throws IllegalStateException if the search has run
   */
  public BankedSearchResult run() {
    if (hasRun) {
      throw new IllegalStateException("a search runs only once: create another BankedSearch");
    }
    hasRun = true;
    limit.start();
    Optional<BankedAssignment> greedy =
        greedy()
            .map(
                plan -> limit.isSpent() ? plan : new BankExchange(problem, limit, plan).improved());
    if (hasRecordWithoutBank()) {
      return new BankedSearchResult(greedy, Long.MAX_VALUE, BankedSearchEnd.NO_PLAN, 0);
    }
    long divisor = 0;
    long mostCost = 1;
    for (MemoryBank bank : problem.banks()) {
      divisor = Alignment.greatestCommonDivisor(divisor, bank.cost());
      mostCost = Math.max(mostCost, bank.cost());
    }
    divisor = Math.max(1, divisor);
    while (divisor > 0 && divisor / 2 <= mostCost) {
      try {
        return searched(divisor, greedy);
      } catch (ArithmeticException e) {
        divisor *= 2; // the numbers are too large for the relaxation
      }
    }
    return new BankedSearchResult(
        greedy, leastCost(problem), BankedSearchEnd.NOT_EXHAUSTIVE, limit.nodes());
  }

  /** Searches with costs that are divided and rounded down. */
  private BankedSearchResult searched(long divisor, Optional<BankedAssignment> greedy) {
    BankedProblem divided = problem.withCosts(cost -> cost / divisor);
    BankRelaxation relaxation = relaxation(divided);
    long rootCost = Math.max(leastCost(divided), relaxation.lowerCostOfAll());
    BankedSearchResult found =
        searched(divided, relaxation, rootCost, greedy.map(plan -> priced(divided, plan)));
    if (found.end() == BankedSearchEnd.NO_PLAN) {
      return found;
    }
    Optional<BankedAssignment> best =
        Stream.concat(
                found.assignment().map(plan -> priced(problem, plan)).stream(), greedy.stream())
            .min(Comparator.comparingLong(BankedAssignment::cost));
    long foundCost = Math.min(found.lowerBoundCost(), Long.MAX_VALUE / divisor);
    long lowerCost = Math.max(leastCost(problem), divisor * foundCost);
    BankedSearchEnd end = found.end();
    if (best.isPresent() && best.get().cost() == lowerCost) {
      end = BankedSearchEnd.OPTIMAL;
    } else if (end == BankedSearchEnd.OPTIMAL) {
      end = BankedSearchEnd.NOT_EXHAUSTIVE; // optimal only for the rounded costs
    }
    return new BankedSearchResult(best.map(this::compacted), lowerCost, end, limit.nodes());
  }

  /** {@return a plan with its cost in a problem} */
  private static BankedAssignment priced(BankedProblem priced, BankedAssignment plan) {
    return BankedAssignment.of(priced, plan.banks(), plan.offsets());
  }

  /** {@return the relaxation, which is not the best one if the problem is very large} */
  private BankRelaxation relaxation(BankedProblem divided) {
    long[] stepsLeft = {MAX_RELAXATION_STEPS};
    BooleanSupplier stop =
        () -> {
          stepsLeft[0] -= StepCounter.INTERVAL_STEPS;
          return stepsLeft[0] < 0 || limit.isOver();
        };
    BankRelaxation relaxation = new BankRelaxation(divided, new StepCounter(stop));
    stepsLeft[0] = Long.MAX_VALUE; // from now on, the nodes are counted
    return relaxation;
  }

  private boolean hasRecordWithoutBank() {
    return IntStream.range(0, problem.recordCount())
        .anyMatch(i ->
            IntStream.range(0, problem.banks().size()).noneMatch(bank -> problem.mayBeIn(bank, i)));
  }

  private BankedSearchResult searched(
      BankedProblem divided,
      BankRelaxation relaxation,
      long rootCost,
      Optional<BankedAssignment> greedy) {
    BankPlacements placements = new BankPlacements(divided, limit, PLACEMENT_NODES);
    NoGoods noGoods = new NoGoods(divided, placements, limit);
    BankSweeps sweeps = new BankSweeps(divided, relaxation, noGoods, limit, rootCost, greedy);
    sweeps.run();
    if (sweeps.isComplete() || limit.isSpent()) {
      boolean isResolved = sweeps.isComplete() && !sweeps.hasUnresolved();
      return result(sweeps.best(), sweeps.lowerCost(), sweeps.isComplete(), isResolved);
    }
    BankBranching branching =
        new BankBranching(divided, relaxation, noGoods, sweeps.permitted(), limit, sweeps.best());
    branching.run();
    long lowerCost = Math.max(sweeps.lowerCost(), branching.lowerCost(rootCost));
    lowerCost = sweeps.hasUnresolved() ? sweeps.lowerCost() : lowerCost;
    boolean isResolved = !branching.hasUnresolved() && !sweeps.hasUnresolved();
    return result(branching.best(), lowerCost, branching.isComplete(), isResolved);
  }

  private BankedSearchResult result(
      Optional<BankedAssignment> best, long lowerCost, boolean isComplete, boolean isResolved) {
    BankedSearchEnd end;
    if (best.isPresent() && best.get().cost() == lowerCost) {
      end = BankedSearchEnd.OPTIMAL;
    } else if (isComplete) {
      end = isResolved ? BankedSearchEnd.NO_PLAN : BankedSearchEnd.NOT_EXHAUSTIVE;
    } else if (limit.isCancelled()) {
      end = BankedSearchEnd.CANCELLED;
    } else {
      end = limit.end();
    }
    return new BankedSearchResult(best, lowerCost, end, limit.nodes());
  }

  /** {@return a plan with the same banks, each with the smallest arena that is quickly found} */
  private BankedAssignment compacted(BankedAssignment plan) {
    long[] offsets = plan.offsets();
    for (int bank = 0; bank < problem.banks().size() && !limit.isOver(); bank++) {
      int current = bank;
      int[] members =
          IntStream.range(0, offsets.length).filter(i -> plan.bank(i) == current).toArray();
      OffsetsSearch search =
          OffsetsSearch.of(
              problem.inBank(bank, Arrays.stream(members).boxed().toList()),
              SearchOptions.defaults()
                  .withTimeLimit(limit.remaining())
                  .withNodeLimit(Math.min(PLACEMENT_NODES, limit.remainingNodes())));
      search.offer(
          OffsetsAssignment.of(
              Arrays.stream(members).mapToLong(plan::offset).toArray(), plan.bankBytes()[bank]));
      OffsetsAssignment found = limit.run(search).assignment();
      for (int k = 0; k < members.length; k++) {
        offsets[members[k]] = found.offset(k);
      }
    }
    return BankedAssignment.of(problem, plan.banks(), offsets);
  }

  /** {@return the cheaper one of two quick plans; the limit ends the second one} */
  private Optional<BankedAssignment> greedy() {
    Optional<BankedAssignment> packed = BankedPacking.plan(problem, limit);
    try {
      StepCounter steps = new StepCounter(() -> packed.isPresent() && limit.isOver());
      BankedAssignment bySize = BankedGreedy.plan(problem, steps);
      return packed.filter(plan -> plan.cost() < bySize.cost()).or(() -> Optional.of(bySize));
    } catch (BankShortageException | CancellationException e) {
      return packed; // another plan may fit
    }
  }

  /** {@return the cost of all records, each in its cheapest bank} */
  private static long leastCost(BankedProblem problem) {
    long sum = 0;
    for (int i = 0; i < problem.recordCount(); i++) {
      long least = Long.MAX_VALUE;
      for (int bank = 0; bank < problem.banks().size(); bank++) {
        if (problem.mayBeIn(bank, i)) {
          least = Math.min(least, problem.banks().get(bank).cost());
        }
      }
      sum += least == Long.MAX_VALUE ? 0 : problem.movedBytes(i) * least;
    }
    return sum;
  }
}
