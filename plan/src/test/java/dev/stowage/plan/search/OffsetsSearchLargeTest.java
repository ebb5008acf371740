package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.OverlappingLifetimes;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.RecordFamilies;
import dev.stowage.plan.cases.RecordFamilies.Lifetimes;
import dev.stowage.plan.cases.RecordFamilies.Sizes;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions of thousands of records, which are too large for an exhaustive search. */
@Tag("full")
class OffsetsSearchLargeTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(2));

  static LongStream seeds() {
    return RandomRecords.seeds(100);
  }

  private static SearchResult<OffsetsAssignment> runForRounds(
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
    SearchResult<OffsetsAssignment> result = search.get().run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isGreaterThanOrEqualTo(result.lowerBoundBytes());
    return result;
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, 9_000})
  void run_thousandsOfRecords_isNeverAboveAStrategy(int count) {
    PlanProblem problem = OverlappingLifetimes.problem(3, count, false);
    SearchResult<OffsetsAssignment> result = runForRounds(problem, OPTIONS, 6);
    assertThat(result.nodes()).isPositive();
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy != MemoryStrategy.OPTIMAL && strategy.comparesOffsets(problem)) {
        assertThat(result.assignment().totalBytes())
            .as("%s", strategy)
            .isLessThanOrEqualTo(strategy.planOffsets(problem).totalBytes());
      }
    }
    SearchResult<OffsetsAssignment> together = runForRounds(problem, OPTIONS.withThreads(2), 6);
    assertThat(together.assignment()).isEqualTo(result.assignment());
    assertThat(together.lowerBoundBytes()).isEqualTo(result.lowerBoundBytes());
  }

  @Test
  void run_thousandsOfConstrainedRecords_isValid() {
    PlanProblem problem = OverlappingLifetimes.problem(4, 6_000, true);
    SearchResult<OffsetsAssignment> result = runForRounds(problem, OPTIONS.withThreads(2), 7);
    assertThat(result.nodes()).isPositive();
    assertThat(result.assignment().totalBytes())
        .isLessThanOrEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes());
  }

  /** Strategies are made beside the search, one in each round. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_smallProblemsAsHugeOnes_areTheBestOfAllOrders(long seed) {
    for (int part = 0; part < 10; part++) {
      long each = 10 * seed + part;
      PlanProblem problem = SmallProblems.of(each, 6, part % 2 == 0 ? 40 : 9);
      for (int threads = 1; threads <= 2; threads++) {
        SearchResult<OffsetsAssignment> result =
            OffsetsSearch.of(problem, OPTIONS.withThreads(threads), System::nanoTime, 0).run();
        assertThat(AssignmentChecker.violation(problem, result.assignment()))
            .as("%s", problem)
            .isEmpty();
        assertThat(result.assignment().totalBytes())
            .as("%s", problem)
            .isEqualTo(ExhaustivePlans.byOrders(problem));
        assertThat(result.isOptimal()).as("%s", problem).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Lifetimes.class)
  void run_familiesAsHugeProblems_areNearTheLoadOnAnyNumberOfThreads(Lifetimes lifetimes) {
    PlanProblem problem = RecordFamilies.problem(lifetimes, Sizes.SKEWED, 4_500, 2);
    OffsetsAssignment[] plans = new OffsetsAssignment[2];
    for (int threads = 1; threads <= 2; threads++) {
      int[] reports = {0};
      AtomicReference<OffsetsSearch> search = new AtomicReference<>();
      SearchOptions options =
          OPTIONS
              .withThreads(threads)
              .withProgress(progress -> {
                if (++reports[0] == 2) {
                  search.get().cancel();
                }
              });
      search.set(OffsetsSearch.of(problem, options, System::nanoTime, 1_000));
      SearchResult<OffsetsAssignment> result = search.get().run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(result.assignment().totalBytes())
          .isBetween(result.lowerBoundBytes(), result.lowerBoundBytes() * 103 / 100);
      plans[threads - 1] = result.assignment();
    }
    assertThat(plans[1]).isEqualTo(plans[0]);
  }

  @Test
  void run_noTime_returnsAValidPlan() {
    PlanProblem problem = OverlappingLifetimes.problem(5, 20_000, true);
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, OPTIONS.withTimeLimit(Duration.ZERO)).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
  }
}
