package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.cases.BankedProblems;
import dev.stowage.plan.cases.ExhaustiveBanks;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/banks.md, which compares costs with those of the cheapest plans. */
class BanksGuideTableTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("stowage.root", ".."), "docs/banks.md");
  private static final Pattern ROWS =
      Pattern.compile("(?<=\n)\\| `LARGEST_FIRST` .*?\n(?=\n)", Pattern.DOTALL);
  private static final int PROBLEMS = 100;
  private static final int[] RECORDS = {4, 8, 12};

  /** The cost of a plan and of the cheapest one. */
  private record Compared(BankedProblem problem, long cheapest) {

    static Compared of(int records, int seed) {
      BankedProblem problem = BankedProblems.ofNetwork(records, seed);
      return new Compared(
          problem, ExhaustiveBanks.cost(problem, Compared::smallestArena).orElseThrow());
    }

    private static long smallestArena(PlanProblem inBank) {
      return OffsetsSearch.of(inBank, SearchOptions.defaults()).run().assignment().totalBytes();
    }

    double above(Function<BankedProblem, BankedAssignment> planner) {
      return 100.0 * (planner.apply(problem).cost() - cheapest) / cheapest;
    }
  }

  @Test
  void table_ofTheGuide_hasTheCostsOfRandomProblems() throws IOException {
    String guide = Files.readString(GUIDE);
    Matcher rows = ROWS.matcher(guide);
    assertThat(rows.find()).isTrue();
    String updated = rows.replaceFirst(Matcher.quoteReplacement(rows()));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, updated);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(updated);
  }

  private static String rows() {
    Stream<Row> rows =
        Stream.concat(
            Stream.of(BankOrder.values())
                .map(order ->
                    new Row("`" + order + "`", problem -> BankedPlanner.divide(problem, order))),
            Stream.of(
                new Row(
                    "the cheapest of the three",
                    problem ->
                        BankedPlanner.of(problem, SearchOptions.defaults()).run().assignment())));
    var compared =
        IntStream.of(RECORDS)
            .mapToObj(records ->
                IntStream.range(0, PROBLEMS).mapToObj(seed -> Compared.of(records, seed)).toList())
            .toList();
    return rows.map(row ->
            "| "
                + row.name
                + compared.stream()
                    .map(problems ->
                        cell(
                            problems.stream()
                                .mapToDouble(one -> one.above(row.planner))
                                .summaryStatistics(),
                            problems.stream().filter(one -> one.above(row.planner) == 0).count()))
                    .collect(Collectors.joining())
                + " |\n")
        .collect(Collectors.joining());
  }

  private record Row(String name, Function<BankedProblem, BankedAssignment> planner) {}

  private static String cell(DoubleSummaryStatistics above, long cheapest) {
    return String.format(
        Locale.ROOT, " | %.1f %% | %.1f %% | %d", above.getAverage(), above.getMax(), cheapest);
  }
}
