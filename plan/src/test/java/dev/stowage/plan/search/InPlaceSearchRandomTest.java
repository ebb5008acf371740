package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.ExhaustiveInPlacePlans;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches of problems with records in place, compared with exhaustive enumeration. */
class InPlaceSearchRandomTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1));

  static LongStream manySeeds() {
    return RandomRecords.seeds(3_000);
  }

  static LongStream seeds() {
    return RandomRecords.seeds(500);
  }

  private static PlanProblem small(long seed) {
    return InPlaceProblems.of(seed, 6, seed % 3 == 0 ? 3 : 5);
  }

  private static SearchResult<OffsetsAssignment> validResult(
      PlanProblem problem, SearchOptions options) {
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, options).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment()))
        .as("%s", problem)
        .isEmpty();
    return result;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_fewRecords_isTheBestOfAllOffsets(long seed) {
    PlanProblem problem = small(seed);
    long optimum = ExhaustiveInPlacePlans.smallestArena(problem);
    assertThat(LowerBounds.of(problem).offsetsBytes())
        .as("%s", problem)
        .isLessThanOrEqualTo(optimum);
    SearchResult<OffsetsAssignment> result = validResult(problem, OPTIONS);
    assertThat(result.assignment().totalBytes()).as("%s", problem).isEqualTo(optimum);
    assertThat(result.lowerBoundBytes()).as("%s", problem).isEqualTo(optimum);
    assertThat(result.end()).as("%s", problem).isEqualTo(SearchEnd.OPTIMAL);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_capacity_isReachedOrTheSmallestPlanIsFound(long seed) {
    PlanProblem problem = small(seed);
    long optimum = ExhaustiveInPlacePlans.smallestArena(problem);
    for (long capacity = Math.max(0, optimum - 3); capacity < optimum + 3; capacity++) {
      SearchResult<OffsetsAssignment> result = validResult(problem, OPTIONS.withCapacity(capacity));
      assertThat(result.lowerBoundBytes())
          .as("capacity %d of %s", capacity, problem)
          .isLessThanOrEqualTo(optimum);
      assertThat(result.assignment().totalBytes())
          .as("capacity %d of %s", capacity, problem)
          .isBetween(optimum, Math.max(optimum, capacity));
      assertThat(result.end())
          .as("capacity %d of %s", capacity, problem)
          .isEqualTo(result.isOptimal() ? SearchEnd.OPTIMAL : SearchEnd.CAPACITY_REACHED);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_capacityDecision_isRight(long seed) {
    PlanProblem problem = small(seed);
    long optimum = ExhaustiveInPlacePlans.smallestArena(problem);
    for (long capacity = Math.max(0, optimum - 3); capacity < optimum + 2; capacity++) {
      SearchResult<OffsetsAssignment> result =
          validResult(problem, OPTIONS.withCapacityDecision(capacity));
      assertThat(result.lowerBoundBytes())
          .as("capacity %d of %s", capacity, problem)
          .isLessThanOrEqualTo(optimum);
      if (capacity < optimum) {
        assertThat(result.lowerBoundBytes())
            .as("capacity %d of %s", capacity, problem)
            .isGreaterThan(capacity);
      } else {
        assertThat(result.assignment().totalBytes())
            .as("capacity %d of %s", capacity, problem)
            .isLessThanOrEqualTo(capacity);
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_fewNodes_hasABoundThatHolds(long seed) {
    PlanProblem problem = small(seed);
    long optimum = ExhaustiveInPlacePlans.smallestArena(problem);
    for (long nodes = 0; nodes < 200; nodes = 2 * nodes + 1) {
      SearchResult<OffsetsAssignment> result = validResult(problem, OPTIONS.withNodeLimit(nodes));
      assertThat(result.lowerBoundBytes()).as("%s", problem).isLessThanOrEqualTo(optimum);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_noTimeAtAll_isNeverAboveAStrategyOnAnyNumberOfThreads(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 30, 20);
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

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_moreRecords_isNeverAboveAStrategyOrThePlanWithoutPairs(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 20, 20);
    SearchResult<OffsetsAssignment> result = validResult(problem, OPTIONS.withNodeLimit(100_000));
    assertNotAboveAStrategy(problem, result);
    SearchResult<OffsetsAssignment> without =
        OffsetsSearch.of(problem.withInPlace(List.of()), OPTIONS.withNodeLimit(20_000)).run();
    assertThat(result.assignment().totalBytes())
        .as("%s", problem)
        .isLessThanOrEqualTo(without.assignment().totalBytes());
    assertThat(result.lowerBoundBytes())
        .as("%s", problem)
        .isLessThanOrEqualTo(without.assignment().totalBytes());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_anOfferedPlan_isNotLarger(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 12, 12);
    OffsetsAssignment plan = validResult(problem, OPTIONS.withNodeLimit(50_000)).assignment();
    for (long nodes : new long[] {0, 100}) {
      OffsetsSearch search = OffsetsSearch.of(problem, OPTIONS.withNodeLimit(nodes));
      search.offer(plan);
      assertThat(search.run().assignment().totalBytes())
          .as("%s", problem)
          .isLessThanOrEqualTo(plan.totalBytes());
    }
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
}
