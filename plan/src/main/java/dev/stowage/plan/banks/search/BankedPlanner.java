package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planner for several banks.
 *
 * <p>The planner makes a plan for each {@link BankOrder}, and keeps the cheapest. Every record
 * takes the smallest sufficient gap of a bank: of the cheapest bank with such a gap below its
 * capacity. An {@link OffsetsSearch} then looks for the smallest arena of each bank. No record
 * changes its bank, so that another plan may cost less. The first part is O(n log n) for most
 * problems.
 *
 * <p>The options hold for each search. Unless time, {@link #cancel} or an interrupt ends a search,
 * the plan is the same on every machine.
 */
public final class BankedPlanner {

  private final BankedProblem problem;
  private final SearchOptions options;
  private volatile boolean isCancelled;
  private volatile @Nullable OffsetsSearch running;

  private BankedPlanner(BankedProblem problem, SearchOptions options) {
    this.problem = problem;
    this.options = options;
  }

  /**
   * {@return a planner, which {@link #run} starts}
   *
   * @param problem the records and the banks
   * @param options the limits of the search in each bank
   */
  public static BankedPlanner of(BankedProblem problem, SearchOptions options) {
    return new BankedPlanner(problem, options);
  }

  /** Ends the search soon; the others do not start. Any thread may call this. */
  public void cancel() {
    isCancelled = true;
    OffsetsSearch search = running;
    if (search != null) {
      search.cancel();
    }
  }

  /**
   * {@return the plan}
   *
   * @throws BankShortageException if no order places all records; it names a record without a
   *     permitted bank, or the first one without a place in {@link BankOrder#LARGEST_FIRST}
   */
  public BankedPlan run() {
    for (int i = 0; i < problem.recordCount(); i++) {
      if (problem.permittedBanks(i).length == 0) {
        throw new BankFiller(problem).shortage(i);
      }
    }
    List<BankedPlan> plans = new ArrayList<>();
    List<BankShortageException> shortages = new ArrayList<>();
    for (BankOrder order : BankOrder.values()) {
      try {
        plans.add(new BankedPlan(order, divide(problem, order), List.of()));
      } catch (BankShortageException e) {
        shortages.add(e);
      }
    }
    return plans.stream()
        .min(Comparator.comparingLong(plan -> plan.assignment().cost()))
        .map(plan -> search(plan.order(), plan.assignment()))
        .orElseThrow(shortages::getFirst);
  }

  /**
   * {@return a plan of an order}
   *
   * @throws BankShortageException if a record fits into no bank
   */
  static BankedAssignment divide(BankedProblem problem, BankOrder order) {
    BankFiller filler = new BankFiller(problem);
    for (int record : order.of(problem)) {
      filler.place(record);
    }
    return filler.assignment();
  }

  /** {@return a plan with the same banks, each with the smallest arena that a search finds} */
  private BankedPlan search(BankOrder order, BankedAssignment plan) {
    long[] offsets = plan.offsets();
    List<SearchResult<OffsetsAssignment>> searches = new ArrayList<>();
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      List<Integer> members = plan.members(bank);
      SearchResult<OffsetsAssignment> found = search(bank, members, plan);
      for (int k = 0; k < members.size(); k++) {
        offsets[members.get(k)] = found.assignment().offset(k);
      }
      searches.add(found);
    }
    return new BankedPlan(order, BankedAssignment.of(problem, plan.banks(), offsets), searches);
  }

  private SearchResult<OffsetsAssignment> search(
      int bank, List<Integer> members, BankedAssignment plan) {
    OffsetsSearch search =
        OffsetsSearch.of(problem.banks().get(bank).problemOf(problem.problem(), members), options);
    search.offer(
        OffsetsAssignment.of(
            members.stream().mapToLong(plan::offset).toArray(), plan.bankBytes()[bank]));
    running = search;
    if (isCancelled) {
      search.cancel();
    }
    return search.run();
  }
}
