package dev.stowage.cli.banks;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.Timed;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankShortageException;
import dev.stowage.plan.banks.search.BankedAssignmentChecker;
import dev.stowage.plan.banks.search.BankedSearch;
import dev.stowage.plan.banks.search.BankedSearchEnd;
import dev.stowage.plan.banks.search.BankedSearchResult;
import dev.stowage.plan.banks.search.BankedStrategy;
import dev.stowage.plan.search.SearchOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plans inputs in several banks and checks every plan. */
public final class BankRunner {

  private final BankSelection selection;
  private final Interruption interruption;

  /**
   * Creates a runner.
   *
   * @param interruption ends the planning with the plans that are finished
   */
  public BankRunner(BankSelection selection, Interruption interruption) {
    this.selection = selection;
    this.interruption = interruption;
  }

  /**
   * {@return the plans of an input}
   *
   * @throws InputRefusedException if the input has textures or a graph, if it names a bank that
   *     does not exist, or if an alignment contradicts a pinned record
   */
  public BankReport run(PlanInput input) throws InputRefusedException {
    return switch (input) {
      case PlanInput.Tensors tensors -> run(tensors, problem(tensors));
      case PlanInput.Textures textures ->
          throw new InputRefusedException(
              "textures have no offsets, expected sizes in bytes for --bank");
    };
  }

  private BankedProblem problem(PlanInput.Tensors input) throws InputRefusedException {
    if (input.problem().reuseGraph().isPresent()) {
      throw new InputRefusedException(
          "the problem has a graph, expected one without for --bank; remove the graph to plan for the order of the tasks");
    }
    try {
      BankedProblem problem =
          BankedProblem.of(named(input).withAlignment(selection.alignment()), selection.banks());
      List<Long> reads = input.banks().reads();
      if (!reads.isEmpty()) {
        problem = problem.withReads(reads.stream().mapToLong(Long::longValue).toArray());
      }
      return problem.withTies(input.banks().ties());
    } catch (IllegalArgumentException e) {
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  /** {@return the problem of an input, whose records have names for messages} */
  private static PlanProblem named(PlanInput.Tensors input) {
    List<TensorUsageRecord> named = new ArrayList<>();
    for (int i = 0; i < input.labels().size(); i++) {
      named.add(input.problem().records().get(i).withName(input.labels().get(i).name()));
    }
    return PlanProblem.of(named).withInPlace(input.problem().inPlace());
  }

  private BankReport run(PlanInput.Tensors input, BankedProblem problem) {
    List<BankPlan> plans = new ArrayList<>();
    Optional<String> shortage = Optional.empty();
    try {
      Timed<BankedAssignment> greedy =
          interruption.run(() -> Timed.of(() -> BankedStrategy.BANKED_GREEDY.plan(problem)));
      if (selection.strategies().contains(BankedStrategy.BANKED_GREEDY)) {
        add(
            plans,
            problem,
            new BankPlan(
                BankedStrategy.BANKED_GREEDY, greedy.value(), greedy.seconds(), Optional.empty()));
      }
    } catch (BankShortageException e) {
      shortage = Optional.of(String.valueOf(e.getMessage()));
    }
    boolean isSearched = selection.strategies().contains(BankedStrategy.OPTIMAL);
    SearchOptions options = selection.search();
    BankedSearch search = BankedSearch.of(problem, isSearched ? options : options.withNodeLimit(0));
    Timed<BankedSearchResult> found = interruption.run(() -> Timed.of(search::run), search::cancel);
    BankedSearchResult result = found.value();
    if (isSearched && result.assignment().isPresent()) {
      BankedAssignment assignment = result.assignment().get();
      add(
          plans,
          problem,
          new BankPlan(BankedStrategy.OPTIMAL, assignment, found.seconds(), Optional.of(result)));
    }
    Optional<String> verdict =
        plans.isEmpty() ? Optional.of(verdict(shortage, result, isSearched)) : Optional.empty();
    return new BankReport(
        new PlanInput.Tensors(input.file(), input.labels(), problem.problem(), input.banks()),
        problem,
        plans,
        result.lowerBoundCost(),
        new BankReport.Reasons(shortage, verdict),
        isSearched && result.end() == BankedSearchEnd.CANCELLED);
  }

  private static void add(List<BankPlan> plans, BankedProblem problem, BankPlan plan) {
    BankedAssignmentChecker.violation(problem, plan.assignment())
        .ifPresent(violation -> {
          throw new AssertionError(
              plan.strategy() + " made a plan that is not valid: " + violation);
        });
    plans.add(plan);
  }

  private String verdict(Optional<String> shortage, BankedSearchResult result, boolean isSearched) {
    String proof;
    if (result.end() == BankedSearchEnd.NO_PLAN) {
      proof = "proved: no plan fits";
    } else if (!isSearched) {
      proof = "--strategy OPTIMAL may find a plan";
    } else if (result.end() == BankedSearchEnd.CANCELLED) {
      proof = "not found before the interruption";
    } else if (result.end() == BankedSearchEnd.NODE_LIMIT) {
      proof = "not found within the node limit: a higher --node-limit lets OPTIMAL search longer";
    } else {
      proof = "not found in time: a higher --time-limit lets OPTIMAL search longer";
    }
    return String.format(
        Locale.ROOT,
        "no plan in %s: %s; %s",
        selection.banks().stream().map(MemoryBank::name).collect(Collectors.joining(", ")),
        shortage.orElse("the records do not fit"),
        proof);
  }
}
