package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.cases.BankedProblems;
import dev.stowage.plan.search.SearchOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BankedSearchTest {

  /*
   * The fast bank holds "small" and "hot", or "large" alone. BANKED_GREEDY chooses the largest:
   *
   *   large   64 bytes, read once
   *   hot     40 bytes, read 5 times
   *   small   24 bytes, read twice
   */
  private static final BankedProblem PROBLEM =
      BankedProblem.of(
              PlanProblem.of(
                  List.of(
                      TensorUsageRecord.of(64, 0, 5).withName("large"),
                      TensorUsageRecord.of(40, 0, 5).withName("hot"),
                      TensorUsageRecord.of(24, 0, 5).withName("small"))),
              List.of(MemoryBank.of("sram", 64), MemoryBank.of("dram", 128).withCost(10)))
          .withReads(new long[] {1, 5, 2});

  @Test
  void run_smallRecordsReadOften_areInTheFastBank() {
    BankedAssignment greedy = BankedStrategy.BANKED_GREEDY.plan(PROBLEM);
    assertThat(greedy.banks()).containsExactly(0, 1, 1);
    assertThat(greedy.cost()).isEqualTo(64 * 2 + 40 * 6 * 10 + 24 * 3 * 10);

    BankedSearchResult result = BankedSearch.of(PROBLEM, SearchOptions.defaults()).run();

    BankedAssignment plan = result.assignment().orElseThrow();
    assertThat(plan.banks()).containsExactly(1, 0, 0);
    assertThat(plan.bankBytes()).containsExactly(64, 64);
    assertThat(plan.cost()).isEqualTo(64 * 2 * 10 + 40 * 6 + 24 * 3);
    assertThat(result.lowerBoundCost()).isEqualTo(plan.cost());
    assertThat(result.isOptimal()).isTrue();
    assertThat(result.end()).isEqualTo(BankedSearchEnd.OPTIMAL);
    assertThat(BankedStrategy.OPTIMAL.plan(PROBLEM)).isEqualTo(plan);
  }

  @Test
  void run_tiedRecord_staysInItsBank() {
    BankedSearchResult result =
        BankedSearch.of(PROBLEM.withTies(Map.of(1, "dram")), SearchOptions.defaults()).run();

    assertThat(result.assignment().orElseThrow().banks()).containsExactly(0, 1, 1);
    assertThat(result.isOptimal()).isTrue();
  }

  @Test
  void plan_recordThatFitsNowhere_isNamedWithTheMissingBytes() {
    BankedProblem problem =
        BankedProblem.of(
            PROBLEM.problem(), List.of(MemoryBank.of("sram", 64), MemoryBank.of("dram", 60)));

    assertThatThrownBy(() -> BankedStrategy.BANKED_GREEDY.plan(problem))
        .isInstanceOfSatisfying(
            BankShortageException.class,
            e -> {
              assertThat(e.record()).isEqualTo(2);
              assertThat(e.missingBytes()).containsExactly(OptionalLong.of(24), OptionalLong.of(4));
            })
        .hasMessage(
            "record 2 'small' of 24 bytes fits into no bank: sram of 64 bytes lacks 24, dram of 60 bytes lacks 4");
    BankedSearchResult result = BankedSearch.of(problem, SearchOptions.defaults()).run();
    assertThat(result.assignment()).isEmpty();
    assertThat(result.isOptimal()).isFalse();
    assertThat(result.end()).isEqualTo(BankedSearchEnd.NO_PLAN);
    assertThatThrownBy(() -> BankedStrategy.OPTIMAL.plan(problem))
        .isInstanceOf(BankShortageException.class);
  }

  @Test
  void plan_tiedRecordLargerThanItsBank_isNamed() {
    BankedProblem problem =
        BankedProblem.of(
                PROBLEM.problem(), List.of(MemoryBank.of("sram", 30), MemoryBank.unlimited("dram")))
            .withTies(Map.of(1, "sram"));

    assertThatThrownBy(() -> BankedStrategy.BANKED_GREEDY.plan(problem))
        .hasMessage(
            "record 1 'hot' of 40 bytes fits into no bank that it may be in: sram of 30 bytes lacks 10");
    assertThat(BankedSearch.of(problem, SearchOptions.defaults()).run().end())
        .isEqualTo(BankedSearchEnd.NO_PLAN);
  }

  @Test
  void run_noRecords_isOptimal() {
    BankedProblem empty =
        BankedProblem.of(PlanProblem.of(List.of()), List.of(MemoryBank.of("sram", 1)));

    BankedSearchResult result = BankedSearch.of(empty, SearchOptions.defaults()).run();

    assertThat(result.isOptimal()).isTrue();
    assertThat(result.lowerBoundCost()).isZero();
  }

  @Test
  void run_noTimeOrCancelled_returnsTheGreedyPlanAndABound() {
    BankedProblem problem = BankedProblems.ofNetwork(200, 2);
    BankedAssignment greedy = BankedStrategy.BANKED_GREEDY.plan(problem);

    BankedSearchResult late =
        BankedSearch.of(problem, SearchOptions.defaults().withTimeLimit(Duration.ZERO)).run();
    BankedSearch search = BankedSearch.of(problem, SearchOptions.defaults());
    search.cancel();
    BankedSearchResult cancelled = search.run();

    assertThat(late.end()).isEqualTo(BankedSearchEnd.TIME_LIMIT);
    assertThat(cancelled.end()).isEqualTo(BankedSearchEnd.CANCELLED);
    for (BankedSearchResult result : List.of(late, cancelled)) {
      assertThat(result.assignment()).hasValue(greedy);
      assertThat(result.lowerBoundCost()).isPositive().isLessThan(greedy.cost());
    }
  }

  @Test
  void run_secondTime_isRejected() {
    BankedSearch search = BankedSearch.of(PROBLEM, SearchOptions.defaults());
    search.run();
    assertThatThrownBy(search::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a search runs only once: create another BankedSearch");
  }
}
