package dev.stowage.cli.banks;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ProblemWriter;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.SearchSentences;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedPlan;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The plan of an input in several banks.
 *
 * @param problem the records and the banks
 * @param seconds the time of planning
 */
public record BankReport(
    PlanInput.Tensors input, BankedProblem problem, BankedPlan plan, double seconds) {

  /** {@return the banks with their records} */
  public List<PlannedBank> banks() {
    return IntStream.range(0, problem.banks().size())
        .mapToObj(bank ->
            PlannedBank.of(
                problem.banks().get(bank),
                problem.problem(),
                plan.assignment().members(bank),
                plan.assignment()::offset))
        .toList();
  }

  /** {@return the contents of files with the plan, by their extensions} */
  public Map<String, WholeFile.Content> files() {
    Optional<long[]> offsets = Optional.of(plan.assignment().offsets());
    return Map.of(
        ".csv", out -> ProblemWriter.writeCsv(input, offsets, bankNames(), out),
        ".json",
            out -> ProblemWriter.writeJson(input, OptionalLong.empty(), offsets, bankNames(), out));
  }

  public MemoryBank bank(int record) {
    return problem.banks().get(plan.assignment().bank(record));
  }

  /** {@return the name of the bank of each record, by the index of the record} */
  private Map<Integer, String> bankNames() {
    return IntStream.range(0, problem.recordCount())
        .boxed()
        .collect(Collectors.toMap(Function.identity(), i -> bank(i).name()));
  }

  /** {@return true if no plan costs less, because each record is in the cheapest bank for it} */
  public boolean isCheapest() {
    return IntStream.range(0, problem.recordCount())
        .allMatch(i ->
            IntStream.of(problem.permittedBanks(i))
                .allMatch(bank -> bank(i).cost() <= problem.banks().get(bank).cost()));
  }

  /** {@return the end of the searches; a limit of one search counts} */
  public SearchEnd end() {
    return plan.searches().stream()
        .map(SearchResult::end)
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** {@return true if a signal ended a search} */
  public boolean isInterrupted() {
    return end() == SearchEnd.CANCELLED;
  }

  /** {@return the number of placements that the searches tried} */
  public long nodes() {
    return plan.searches().stream().mapToLong(SearchResult::nodes).sum();
  }

  /** {@return sentences on the end of the searches; none if they ended by themselves} */
  public List<String> sentences() {
    return SearchSentences.of(end(), seconds, nodes(), isInterrupted());
  }

  /** {@return the figures that a baseline has} */
  public BaselineEntry gated() {
    SortedMap<String, Long> figures = new TreeMap<>();
    figures.put("cost", plan.assignment().cost());
    figures.put("banks_lower_bound_bytes", LowerBounds.of(problem.problem()).offsetsBytes());
    figures.put("banks_bytes", LongStream.of(plan.assignment().bankBytes()).sum());
    return BaselineEntry.of(figures);
  }
}
