package dev.stowage.cli.banks;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.TimedResult;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankShortageException;
import dev.stowage.plan.banks.search.BankedAssignmentChecker;
import dev.stowage.plan.banks.search.BankedPlan;
import dev.stowage.plan.banks.search.BankedPlanner;
import dev.stowage.plan.search.SearchOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans inputs in several banks and checks every plan.
 *
 * @param banks the banks, the fastest first
 * @param alignment the alignment of all offsets, in bytes
 * @param options the limits of the search in each bank
 * @param interruption ends the searches; the plan so far is valid
 */
public record BankRunner(
    List<MemoryBank> banks, long alignment, SearchOptions options, Interruption interruption) {

  public BankRunner {
    banks = List.copyOf(banks);
  }

  /**
   * {@return the plan of an input}
   *
   * @throws InputRefusedException if the input has a graph, if it names a bank that does not exist,
   *     or if an alignment contradicts a pinned record
   * @throws BankShortageException if a record fits into no bank
   */
  public BankReport run(PlanInput.Tensors input) throws InputRefusedException {
    BankedProblem problem = problem(input);
    BankedPlanner planner = BankedPlanner.of(problem, options);
    TimedResult<BankedPlan> plan =
        interruption.run(() -> TimedResult.of(planner::run), planner::cancel);
    BankedAssignmentChecker.violation(problem, plan.value().assignment())
        .ifPresent(violation -> {
          throw new AssertionError("the plan in banks is not valid: " + violation);
        });
    return new BankReport(
        input.withProblem(problem.problem()), problem, plan.value(), plan.seconds());
  }

  private BankedProblem problem(PlanInput.Tensors input) throws InputRefusedException {
    if (input.problem().reuseGraph().isPresent()) {
      throw new InputRefusedException(
          "the problem has a graph, expected one without for --bank; remove the graph to plan for the order of the tasks");
    }
    try {
      return new BankedProblem(
          named(input).withAlignment(alignment),
          banks,
          input.banks().reads(),
          input.banks().ties());
    } catch (IllegalArgumentException e) {
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  /** {@return the problem of an input; its records have names for messages} */
  private static PlanProblem named(PlanInput.Tensors input) {
    List<TensorUsageRecord> named = new ArrayList<>();
    for (int i = 0; i < input.labels().size(); i++) {
      named.add(input.problem().records().get(i).withName(input.labels().get(i).name()));
    }
    return PlanProblem.of(named).withInPlace(input.problem().inPlace());
  }
}
