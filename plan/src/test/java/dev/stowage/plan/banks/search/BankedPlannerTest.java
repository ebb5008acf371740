package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.cases.SearchShapes;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BankedPlannerTest {

  private static final MemoryBank DRAM = MemoryBank.of("dram", 128).withCost(10);

  /*
   * The fast bank holds "small" and "hot", or "large" alone:
   *
   *   large   64 bytes, read once, saves 64 × 2 × 9 = 1,152, 18 for each byte
   *   hot     40 bytes, read 5 times, saves 40 × 6 × 9 = 2,160, 54 for each byte
   *   small   24 bytes, read twice, saves 24 × 3 × 9 = 648, 27 for each byte
   */
  private static final PlanProblem RECORDS =
      PlanProblem.of(
          List.of(
              TensorUsageRecord.of(64, 0, 5).withName("large"),
              TensorUsageRecord.of(40, 0, 5).withName("hot"),
              TensorUsageRecord.of(24, 0, 5).withName("small")));

  private static final BankedProblem PROBLEM = problem(List.of(MemoryBank.of("sram", 64), DRAM));

  private static BankedProblem problem(List<MemoryBank> banks) {
    return new BankedProblem(RECORDS, banks, List.of(1L, 5L, 2L), Map.of());
  }

  private static BankedPlan plan(BankedProblem problem) {
    return BankedPlanner.of(problem, SearchOptions.defaults()).run();
  }

  @Test
  void divide_eachOrder_fillsTheFastBankInIt() {
    assertThat(BankOrder.LARGEST_FIRST.of(PROBLEM)).containsExactly(0, 1, 2);
    assertThat(BankOrder.MOST_SAVED_FIRST.of(PROBLEM)).containsExactly(1, 0, 2);
    assertThat(BankOrder.MOST_SAVED_PER_BYTE_FIRST.of(PROBLEM)).containsExactly(1, 2, 0);

    BankedAssignment bySize = BankedPlanner.divide(PROBLEM, BankOrder.LARGEST_FIRST);
    assertThat(bySize.banks()).containsExactly(0, 1, 1);
    assertThat(bySize.cost()).isEqualTo(64 * 2 + 40 * 6 * 10 + 24 * 3 * 10);
  }

  @Test
  void run_smallRecordsReadOften_areInTheFastBank() {
    BankedPlan plan = plan(PROBLEM);

    assertThat(plan.order()).isEqualTo(BankOrder.MOST_SAVED_FIRST);
    assertThat(plan.assignment().banks()).containsExactly(1, 0, 0);
    assertThat(plan.assignment().bankBytes()).containsExactly(64, 64);
    assertThat(plan.assignment().cost()).isEqualTo(64 * 2 * 10 + 40 * 6 + 24 * 3);
    assertThat(plan.searches()).allMatch(SearchResult::isOptimal);
  }

  @Test
  void run_tiedAndPinnedRecords_stayWhereTheyAre() {
    BankedPlan tied =
        plan(new BankedProblem(RECORDS, PROBLEM.banks(), PROBLEM.reads(), Map.of(1, "dram")));
    assertThat(tied.assignment().banks()).containsExactly(0, 1, 1);

    BankedProblem pinned =
        BankedProblem.of(
            PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(64, 0, 5), TensorUsageRecord.of(40, 0, 5).pinnedAt(30))),
            List.of(MemoryBank.of("sram", 64), DRAM));
    assertThat(plan(pinned).assignment().banks()).containsExactly(0, 1);
    assertThat(plan(pinned).assignment().offsets()).containsExactly(0, 30);
  }

  @Test
  void run_banksThatAreNotSortedByCost_fillsTheCheapestFirst() {
    BankedPlan plan = plan(problem(List.of(DRAM, MemoryBank.of("sram", 64))));
    assertThat(plan.assignment().banks()).containsExactly(0, 1, 1);
  }

  @Test
  void run_recordThatFitsNowhere_isNamedWithTheMissingBytes() {
    BankedProblem problem =
        problem(List.of(MemoryBank.of("sram", 64), MemoryBank.of("dram", 60).withCost(10)));

    assertThatThrownBy(() -> plan(problem))
        .isInstanceOf(BankShortageException.class)
        .hasMessage(
            "record 2 'small' of 24 bytes fits into no bank: sram of 64 bytes lacks 24, dram of 60 bytes lacks 4; proved: no plan fits");
  }

  @Test
  void run_tiedRecordLargerThanItsBank_isNamed() {
    BankedProblem problem =
        new BankedProblem(
            RECORDS,
            List.of(MemoryBank.of("sram", 30), MemoryBank.unlimited("dram")),
            List.of(),
            Map.of(1, "sram"));

    assertThatThrownBy(() -> plan(problem))
        .hasMessage(
            "record 1 'hot' of 40 bytes fits into no bank that it may be in: sram of 30 bytes lacks 10; proved: no plan fits");
  }

  @Test
  void run_otherDivisionMayFit_isNotProved() {
    PlanProblem records =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(50, 0, 0),
                TensorUsageRecord.of(36, 0, 0),
                TensorUsageRecord.of(34, 0, 0),
                TensorUsageRecord.of(24, 0, 0),
                TensorUsageRecord.of(16, 0, 0)));
    List<MemoryBank> banks = List.of(MemoryBank.of("a", 100), MemoryBank.of("b", 60));

    assertThatThrownBy(() -> plan(BankedProblem.of(records, banks)))
        .hasMessage(
            "record 4 of 16 bytes fits into no bank: a of 100 bytes lacks 2, b of 60 bytes lacks 14; another division may fit: tie records to banks, or enlarge a bank");
    BankedProblem tied = new BankedProblem(records, banks, List.of(), Map.of(1, "b", 3, "b"));
    assertThat(plan(tied).assignment().bankBytes()).containsExactly(100, 60);
  }

  @Test
  void run_noRecords_costsNothing() {
    BankedProblem empty =
        BankedProblem.of(PlanProblem.of(List.of()), List.of(MemoryBank.of("sram", 1)));

    assertThat(plan(empty).assignment().cost()).isZero();
  }

  @Test
  void run_noTimeOrCancelled_hasThePlanOfTheOrder() {
    BankedProblem problem =
        BankedProblem.of(SearchShapes.RANDOM.problem(200), List.of(MemoryBank.unlimited("ram")));

    BankedPlan late =
        BankedPlanner.of(problem, SearchOptions.defaults().withTimeLimit(Duration.ZERO)).run();
    BankedPlanner planner = BankedPlanner.of(problem, SearchOptions.defaults());
    planner.cancel();
    BankedPlan cancelled = planner.run();

    BankedAssignment divided = BankedPlanner.divide(problem, late.order());
    for (BankedPlan plan : List.of(late, cancelled)) {
      assertThat(plan.assignment().banks()).isEqualTo(divided.banks());
      assertThat(plan.assignment().bankBytes()[0]).isLessThanOrEqualTo(divided.bankBytes()[0]);
      assertThat(BankedAssignmentChecker.violation(problem, plan.assignment())).isEmpty();
    }
    assertThat(late.searches()).extracting(SearchResult::end).contains(SearchEnd.TIME_LIMIT);
    assertThat(cancelled.searches()).extracting(SearchResult::end).contains(SearchEnd.CANCELLED);
  }
}
