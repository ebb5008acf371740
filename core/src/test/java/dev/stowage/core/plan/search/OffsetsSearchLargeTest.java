package dev.stowage.core.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions of thousands of records, which are too large for an exhaustive search. */
class OffsetsSearchLargeTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(2));

  /** {@return a problem of overlapping short lifetimes and a few long ones} */
  private static PlanProblem problem(long seed, int count, boolean constrained) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long first = i / 3;
      long length = random.nextInt(40) == 0 ? random.nextInt(300) : 2 + random.nextInt(4);
      TensorUsageRecord record =
          TensorUsageRecord.of(64L * random.nextInt(200), first, first + length);
      if (constrained && random.nextInt(20) == 0) {
        record = record.withAlignment(96);
      } else if (constrained && random.nextInt(400) == 0) {
        record = record.pinnedAt(64L * random.nextInt(3000));
      } else if (constrained && random.nextInt(20) == 0) {
        record = record.withGaps(List.of(Gap.of(first, first + length / 2)));
      }
      records.add(record);
    }
    return PlanProblem.of(records);
  }

  private static OffsetsSearchResult runForRounds(
      PlanProblem problem, SearchOptions options, int rounds) {
    int[] reports = {0};
    AtomicReference<OffsetsSearch> search = new AtomicReference<>();
    SearchOptions counted =
        options.withProgress(progress -> {
          if (++reports[0] == rounds) {
            search.get().cancel();
          }
        });
    search.set(OffsetsSearch.of(problem, counted));
    OffsetsSearchResult result = search.get().run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isGreaterThanOrEqualTo(result.lowerBoundBytes());
    return result;
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, 9_000})
  void run_thousandsOfRecords_isNeverAboveAStrategy(int count) {
    PlanProblem problem = problem(3, count, false);
    OffsetsSearchResult result = runForRounds(problem, OPTIONS, 6);
    assertThat(result.nodes()).isPositive();
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy != MemoryStrategy.OPTIMAL
          && strategy.comparisonLimit(AssignmentKind.OFFSETS).admits(problem)) {
        assertThat(result.assignment().totalBytes())
            .as("%s", strategy)
            .isLessThanOrEqualTo(strategy.planOffsets(problem).totalBytes());
      }
    }
    OffsetsSearchResult together = runForRounds(problem, OPTIONS.withThreads(2), 6);
    assertThat(together.assignment()).isEqualTo(result.assignment());
    assertThat(together.lowerBoundBytes()).isEqualTo(result.lowerBoundBytes());
  }

  @Test
  void run_thousandsOfConstrainedRecords_isValid() {
    PlanProblem problem = problem(4, 6_000, true);
    OffsetsSearchResult result = runForRounds(problem, OPTIONS.withThreads(2), 7);
    assertThat(result.nodes()).isPositive();
    assertThat(result.assignment().totalBytes())
        .isLessThanOrEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes());
  }

  @Test
  void run_noTime_returnsAValidPlan() {
    PlanProblem problem = problem(5, 20_000, true);
    OffsetsSearchResult result =
        OffsetsSearch.of(problem, OPTIONS.withTimeLimit(Duration.ZERO)).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
  }
}
