package dev.stowage.core.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.cases.OverlappingLifetimes;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions of thousands of records, which are too large for an exhaustive search. */
class OffsetsSearchLargeTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(2));

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
    PlanProblem problem = OverlappingLifetimes.problem(3, count, false);
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
    PlanProblem problem = OverlappingLifetimes.problem(4, 6_000, true);
    OffsetsSearchResult result = runForRounds(problem, OPTIONS.withThreads(2), 7);
    assertThat(result.nodes()).isPositive();
    assertThat(result.assignment().totalBytes())
        .isLessThanOrEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes());
  }

  @Test
  void run_noTime_returnsAValidPlan() {
    PlanProblem problem = OverlappingLifetimes.problem(5, 20_000, true);
    OffsetsSearchResult result =
        OffsetsSearch.of(problem, OPTIONS.withTimeLimit(Duration.ZERO)).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
  }
}
