package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.cases.BankedProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** BANKED_GREEDY, compared with its plainest form and with GREEDY_BY_SIZE. */
class BankedGreedyRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(4000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_anyProblem_isThatOfThePlainestForm(long seed) {
    PlanProblem records =
        seed % 2 == 0
            ? SmallProblems.of(seed, 9, 12)
            : PlanProblem.of(new RandomRecords(seed).unsorted());
    BankedProblem problem = BankedProblems.of(records, 17 * seed + 3);

    Optional<BankedAssignment> expected = NaiveBankedGreedy.plan(problem);

    Optional<BankedAssignment> plan;
    try {
      plan = Optional.of(BankedStrategy.BANKED_GREEDY.plan(problem));
    } catch (BankShortageException e) {
      plan = Optional.empty();
      assertThat(e.missingBytes()).hasSameSizeAs(problem.banks());
      assertThat(e.missingBytes().stream().filter(it -> it.isPresent()))
          .allMatch(it -> it.getAsLong() > 0);
    }
    assertThat(plan).as("%s", problem.problem()).isEqualTo(expected);
    plan.ifPresent(it -> assertThat(BankedAssignmentChecker.violation(problem, it)).isEmpty());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_oneBank_isThatOfGreedyBySize(long seed) {
    List<TensorUsageRecord> records =
        new RandomRecords(seed).unsorted().stream().filter(record -> record.bytes() > 0).toList();
    PlanProblem problem = PlanProblem.of(records).withAlignment(1 + seed % 4);

    BankedAssignment plan =
        BankedStrategy.BANKED_GREEDY.plan(
            BankedProblem.of(problem, List.of(MemoryBank.unlimited("ram"))));

    OffsetsAssignment greedy = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
    assertThat(plan.offsets()).isEqualTo(greedy.offsets());
    assertThat(plan.bankBytes()).containsExactly(greedy.totalBytes());
  }
}
