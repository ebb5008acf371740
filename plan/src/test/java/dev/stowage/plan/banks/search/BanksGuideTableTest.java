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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of docs/banks.md, which compares costs with those of the cheapest plans. */
class BanksGuideTableTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("stowage.root", ".."), "docs/banks.md");
  private static final Pattern ROWS =
      Pattern.compile("(?<=\n)\\| 4 \\| .*?\n(?=\n)", Pattern.DOTALL);
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

    double above() {
      BankedAssignment plan =
          BankedPlanner.of(problem, SearchOptions.defaults()).run().assignment();
      return 100.0 * (plan.cost() - cheapest) / cheapest;
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
    return IntStream.of(RECORDS).mapToObj(BanksGuideTableTest::row).collect(Collectors.joining());
  }

  private static String row(int records) {
    DoubleSummaryStatistics above = new DoubleSummaryStatistics();
    int cheapest = 0;
    for (int seed = 0; seed < PROBLEMS; seed++) {
      double percent = Compared.of(records, seed).above();
      above.accept(percent);
      cheapest += percent == 0 ? 1 : 0;
    }
    return String.format(
        Locale.ROOT,
        "| %d | %.1f %% | %.1f %% | %d |\n",
        records,
        above.getAverage(),
        above.getMax(),
        cheapest);
  }
}
