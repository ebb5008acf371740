package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.cases.BankedProblems;
import dev.stowage.plan.cases.ExhaustiveBanks;
import dev.stowage.plan.cases.ExhaustiveInPlacePlans;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans of random problems with banks, compared with all assignments. */
class BankedPlannerRandomTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1)).withNodeLimit(10_000);

  static LongStream seeds() {
    return RandomRecords.seeds(2000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_fewRecords_isValidAndNotBelowTheCheapestPlan(long seed) {
    assertPlan(SmallProblems.of(seed, 6, seed % 5 == 0 ? 40 : 9), seed, ExhaustivePlans::byOrders);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_recordsWithWindows_isValidAndNotBelowTheCheapestPlan(long seed) {
    assertPlan(SmallProblems.withWindows(seed, 4, 5), seed, ExhaustiveInPlacePlans::smallestArena);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_recordsInPlace_isValidAndNotBelowTheCheapestPlan(long seed) {
    assertPlan(InPlaceProblems.of(seed, 4, 4), seed, ExhaustiveInPlacePlans::smallestArena);
  }

  private static void assertPlan(
      PlanProblem records, long seed, ToLongFunction<PlanProblem> smallestArena) {
    BankedProblem problem = BankedProblems.of(records, 31 * seed + 7);
    OptionalLong cheapest = ExhaustiveBanks.cost(problem, smallestArena);
    BankedPlan plan;
    try {
      plan = BankedPlanner.of(problem, OPTIONS).run();
    } catch (BankShortageException e) {
      assertThat(e.isProved() && cheapest.isPresent()).as("%s", records).isFalse();
      return;
    }
    BankedAssignment assignment = plan.assignment();
    assertThat(BankedAssignmentChecker.violation(problem, assignment)).as("%s", records).isEmpty();
    assertThat(assignment.cost()).as("%s", records).isGreaterThanOrEqualTo(cheapest.orElseThrow());
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      assertThat(assignment.bankBytes()[bank])
          .isGreaterThanOrEqualTo(plan.searches().get(bank).lowerBoundBytes());
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_network_isValidAndTheSameAgainAndNotDearerThanAnOrder(long seed) {
    BankedProblem problem = BankedProblems.ofNetwork(40, seed);

    BankedPlan plan = BankedPlanner.of(problem, OPTIONS.withNodeLimit(100)).run();

    assertThat(BankedAssignmentChecker.violation(problem, plan.assignment())).isEmpty();
    BankedPlan again = BankedPlanner.of(problem, OPTIONS.withNodeLimit(100)).run();
    assertThat(again.assignment().banks()).isEqualTo(plan.assignment().banks());
    assertThat(again.searches()).isEqualTo(plan.searches());
    for (BankOrder order : BankOrder.values()) {
      BankedAssignment divided = BankedPlanner.divide(problem, order);
      assertThat(BankedAssignmentChecker.violation(problem, divided)).isEmpty();
      assertThat(plan.assignment().cost()).isLessThanOrEqualTo(divided.cost());
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void divide_oneBank_isGreedyBySize(long seed) {
    List<TensorUsageRecord> records =
        new RandomRecords(seed).unsorted().stream().filter(record -> record.bytes() > 0).toList();
    PlanProblem problem = PlanProblem.of(records).withAlignment(1 + seed % 4);

    BankedAssignment plan =
        BankedPlanner.divide(
            BankedProblem.of(problem, List.of(MemoryBank.unlimited("ram"))),
            BankOrder.LARGEST_FIRST);

    assertThat(plan.offsets())
        .isEqualTo(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).offsets());
  }
}
