package dev.stowage.cli.banks;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedStrategy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The plans of an input in several banks.
 *
 * @param problem the records and the banks
 * @param plans the plans, in the order of the strategies
 * @param lowerBoundCost a cost below which no plan exists
 * @param reasons the reasons of missing plans
 * @param isInterrupted true if a signal ended the search
 */
public record BankReport(
    PlanInput.Tensors input,
    BankedProblem problem,
    List<BankPlan> plans,
    long lowerBoundCost,
    Reasons reasons,
    boolean isInterrupted) {

  /**
   * Sentences on missing plans.
   *
   * @param shortage the record that BANKED_GREEDY cannot place; empty if it has a plan
   * @param verdict the reason that there is no plan; empty if there is one
   */
  public record Reasons(Optional<String> shortage, Optional<String> verdict) {}

  public BankReport {
    plans = List.copyOf(plans);
  }

  /** {@return the cheapest plan, the first of equal ones; empty if there is none} */
  public Optional<BankPlan> best() {
    return plans.stream().min(Comparator.comparingLong(plan -> plan.assignment().cost()));
  }

  /** {@return a note on the interruption; empty if the planning was not interrupted} */
  public Optional<String> interruption() {
    if (!isInterrupted) {
      return Optional.empty();
    }
    String end =
        plans.isEmpty()
            ? "interrupted before the first plan"
            : "interrupted: these are the best plans so far";
    return Optional.of(end + "; not finished: " + BankedStrategy.OPTIMAL);
  }

  /** {@return true if no plan costs less} */
  public boolean isOptimal(BankPlan plan) {
    return plan.assignment().cost() == lowerBoundCost;
  }

  /**
   * {@return the distance of a plan that is not proved optimal from the lower bound, such as {@code
   * 12.5 %}, never {@code 0.0 %}; a number if the bound is 0}
   */
  public String above(BankPlan plan) {
    return Numbers.above(plan.assignment().cost(), lowerBoundCost);
  }

  /** {@return the name of the bank of each record, by the index of the record} */
  public Map<Integer, String> bankNames(BankPlan plan) {
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; i < problem.recordCount(); i++) {
      names.put(i, bank(plan, i).name());
    }
    return names;
  }

  /** {@return the records of a plan in a bank, by ascending index} */
  static List<Integer> members(BankPlan plan, int bank) {
    return IntStream.range(0, plan.assignment().recordCount())
        .filter(i -> plan.assignment().bank(i) == bank)
        .boxed()
        .toList();
  }

  /** {@return the problem of the records of a plan in a bank} */
  PlanProblem inBank(BankPlan plan, int bank) {
    return problem.banks().get(bank).problemOf(problem.problem(), members(plan, bank));
  }

  public MemoryBank bank(BankPlan plan, int record) {
    return problem.banks().get(plan.assignment().bank(record));
  }
}
