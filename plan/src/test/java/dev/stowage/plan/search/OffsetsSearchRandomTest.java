package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The plans and lower bounds of the search, compared with exhaustive enumeration. */
class OffsetsSearchRandomTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1));

  static LongStream manySeeds() {
    return RandomRecords.seeds(1536);
  }

  static LongStream seeds() {
    return RandomRecords.seeds(640);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_fewRecords_isTheBestOfAllOrders(long seed) {
    PlanProblem small = SmallProblems.of(seed, seed % 4 == 0 ? 7 : 6, seed % 3 == 0 ? 40 : 9);
    PlanProblem problem = seed % 5 == 0 ? SmallProblems.scaled(small, 1L << 40) : small;
    assertProved(problem, ExhaustivePlans.byOrders(problem));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_fewBytes_isTheBestOfAllOffsets(long seed) {
    PlanProblem problem = SmallProblems.of(seed, 5, 6);
    long optimum = ExhaustivePlans.byOffsets(problem);
    assertThat(ExhaustivePlans.byOrders(problem)).as("%s", problem).isEqualTo(optimum);
    assertProved(problem, optimum);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_hugeRecordsWithHints_isTheBestOfAllOrders(long seed) {
    PlanProblem problem = SmallProblems.hugeWithHints(seed, 6);
    assertProved(problem, ExhaustivePlans.byOrders(problem));
  }

  private static void assertProved(PlanProblem problem, long optimum) {
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, OPTIONS).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment()))
        .as("%s", problem)
        .isEmpty();
    assertThat(result.assignment().totalBytes()).as("%s", problem).isEqualTo(optimum);
    assertThat(result.lowerBoundBytes()).as("%s", problem).isEqualTo(optimum);
    assertThat(result.end()).as("%s", problem).isEqualTo(SearchEnd.OPTIMAL);
    assertThat(result.isOptimal()).isTrue();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_capacity_isReachedOrTheSmallestPlanIsFound(long seed) {
    PlanProblem problem = SmallProblems.of(seed, 6, 9);
    long optimum = ExhaustivePlans.byOrders(problem);
    for (long capacity = Math.max(0, optimum - 4); capacity < optimum + 3; capacity++) {
      SearchResult<OffsetsAssignment> result =
          OffsetsSearch.of(problem, OPTIONS.withCapacity(capacity)).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(result.lowerBoundBytes())
          .as("capacity %d of %s", capacity, problem)
          .isLessThanOrEqualTo(optimum);
      assertThat(result.assignment().totalBytes()).isGreaterThanOrEqualTo(optimum);
      if (capacity >= optimum) {
        assertThat(result.assignment().totalBytes())
            .as("capacity %d of %s", capacity, problem)
            .isLessThanOrEqualTo(capacity);
        assertThat(result.end())
            .isEqualTo(result.isOptimal() ? SearchEnd.OPTIMAL : SearchEnd.CAPACITY_REACHED);
      } else {
        assertThat(result.assignment().totalBytes())
            .as("capacity %d of %s", capacity, problem)
            .isEqualTo(optimum);
        assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_anyRecords_isNeverAboveAStrategy(long seed) {
    PlanProblem problem = SmallProblems.withWindows(seed, 12, 40);
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, OPTIONS.withNodeLimit(20_000)).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment()))
        .as("%s", problem)
        .isEmpty();
    assertNotAboveAStrategy(problem, result);
  }

  /** With a stopped clock and no time, the limit has passed, but the grace period never does. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_noTimeAtAll_isNeverAboveAStrategyOnAnyNumberOfThreads(long seed) {
    PlanProblem problem =
        seed % 2 == 0
            ? SmallProblems.withWindows(seed / 2, 25, 50)
            : SmallProblems.ofSimilarSizes(seed / 2);
    SearchOptions noTime = OPTIONS.withTimeLimit(Duration.ZERO);
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, noTime, () -> 0).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment()))
        .as("%s", problem)
        .isEmpty();
    assertNotAboveAStrategy(problem, result);
    assertThat(OffsetsSearch.of(problem, noTime.withThreads(3), () -> 0).run().assignment())
        .as("%s", problem)
        .isEqualTo(result.assignment());
  }

  private static void assertNotAboveAStrategy(
      PlanProblem problem, SearchResult<OffsetsAssignment> result) {
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy != MemoryStrategy.OPTIMAL && (strategy.placesPins() || !problem.hasPins())) {
        assertThat(result.assignment().totalBytes())
            .as("%s of %s", strategy, problem)
            .isLessThanOrEqualTo(strategy.planOffsets(problem).totalBytes());
        if (strategy.plansObjects() && !problem.hasPins()) {
          assertThat(result.assignment().totalBytes())
              .as("objects of %s of %s", strategy, problem)
              .isLessThanOrEqualTo(strategy.planObjects(problem).toOffsets(problem).totalBytes());
        }
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_windowsInGaps_optimumIsBetweenBoundAndPlan(long seed) {
    PlanProblem problem = SmallProblems.withWindows(seed, 5, 6);
    long optimum = ExhaustivePlans.byOffsets(problem);
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, OPTIONS).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment()))
        .as("%s", problem)
        .isEmpty();
    assertThat(result.lowerBoundBytes()).as("%s", problem).isLessThanOrEqualTo(optimum);
    assertThat(result.assignment().totalBytes()).as("%s", problem).isGreaterThanOrEqualTo(optimum);
  }
}
