package dev.stowage.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CapacityConflictTest {

  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(5));

  static LongStream seeds() {
    return RandomRecords.seeds(300);
  }

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  @Test
  void find_tooManyLiveBytes_namesTheLargestOfOneTaskOnly() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(1, 3, 3),
                record(60, 0, 4),
                record(2, 3, 4),
                record(50, 3, 3),
                record(70, 0, 1),
                record(30, 3, 3)));
    Optional<CapacityConflict> conflict = CapacityConflict.find(problem, 139, OPTIONS);
    // At task 3 there are 143 bytes. Without 1 and 2 there still are 140.
    assertThat(conflict).contains(new CapacityConflict(List.of(1, 3, 5), 140, OptionalLong.of(3)));
  }

  @Test
  void find_everythingFits_findsNothing() {
    PlanProblem problem = PlanProblem.of(List.of(record(60, 0, 4), record(50, 3, 3)));
    assertThat(CapacityConflict.find(problem, 110, OPTIONS)).isEmpty();
    assertThat(CapacityConflict.find(PlanProblem.of(List.of()), 0, OPTIONS)).isEmpty();
  }

  @Test
  void find_endlessTime_isNoError() {
    PlanProblem problem = PlanProblem.of(List.of(record(60, 0, 4), record(50, 3, 3)));
    SearchOptions endless = OPTIONS.withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(CapacityConflict.find(problem, 100, endless).orElseThrow().records())
        .containsExactly(0, 1);
  }

  @Test
  void find_pinnedTooHigh_namesThatRecord() {
    PlanProblem problem = PlanProblem.of(List.of(record(60, 0, 4), record(10, 9, 9).pinnedAt(100)));
    assertThat(CapacityConflict.find(problem, 100, OPTIONS))
        .contains(new CapacityConflict(List.of(1), 110, OptionalLong.empty()));
  }

  @Test
  void find_alignedRecordsWhoseLiveBytesFit_needsASearchAndHasNoTask() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(5, 0, 0), record(5, 0, 0), record(1, 7, 7))).withAlignment(8);
    assertThat(CapacityConflict.find(problem, 12, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1), 13, OptionalLong.empty()));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void find_belowTheOptimum_namesRecordsOfWhichNoneCanBeSpared(long seed) {
    PlanProblem problem = SmallProblems.of(seed, 6, 9);
    long optimum = ExhaustivePlans.byOrders(problem);
    if (optimum == 0) {
      return;
    }
    long capacity = optimum - 1;
    CapacityConflict conflict = CapacityConflict.find(problem, capacity, OPTIONS).orElseThrow();
    assertThat(conflict.leastBytes()).as("%s", problem).isBetween(optimum, optimum);
    assertThat(ExhaustivePlans.byOrders(only(problem, conflict.records())))
        .as("%s of %s", conflict, problem)
        .isGreaterThan(capacity);
    for (int spared : conflict.records()) {
      List<Integer> others = new ArrayList<>(conflict.records());
      others.remove(Integer.valueOf(spared));
      assertThat(ExhaustivePlans.byOrders(only(problem, others)))
          .as("without %d, %s of %s", spared, conflict, problem)
          .isLessThanOrEqualTo(capacity);
    }
  }

  private static PlanProblem only(PlanProblem problem, List<Integer> records) {
    return PlanProblem.of(records.stream().map(problem.records()::get).toList())
        .withAlignment(problem.alignment());
  }
}
