package dev.stowage.core.plan.banks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.cases.BankedProblems;
import dev.stowage.core.plan.cases.ExhaustiveBanks;
import dev.stowage.core.plan.cases.ExhaustiveInPlacePlans;
import dev.stowage.core.plan.cases.ExhaustivePlans;
import dev.stowage.core.plan.cases.InPlaceProblems;
import dev.stowage.core.plan.cases.RandomRecords;
import dev.stowage.core.plan.cases.SmallProblems;
import dev.stowage.core.plan.search.SearchOptions;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The plans and lower bounds of the search for banks, compared with all assignments. */
class BankedSearchRandomTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1));

  static LongStream manySeeds() {
    return RandomRecords.seeds(4000);
  }

  static LongStream seeds() {
    return RandomRecords.seeds(1000);
  }

  private static BankedProblem problem(long seed) {
    PlanProblem records = SmallProblems.of(seed, 6, seed % 5 == 0 ? 40 : 9);
    return BankedProblems.of(records, 31 * seed + 7);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_fewRecords_isTheBestOfAllAssignments(long seed) {
    BankedProblem problem = problem(seed);
    assertProved(problem, ExhaustiveBanks.cost(problem, ExhaustivePlans::byOrders));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_recordsWithWindows_isTheBestOfAllAssignments(long seed) {
    BankedProblem problem = BankedProblems.of(SmallProblems.withWindows(seed, 4, 5), 31 * seed + 7);
    assertProved(problem, ExhaustiveBanks.cost(problem, ExhaustiveInPlacePlans::smallestArena));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void run_recordsInPlace_isTheBestOfAllAssignments(long seed) {
    BankedProblem problem = BankedProblems.of(InPlaceProblems.of(seed, 4, 4), 31 * seed + 7);
    assertProved(problem, ExhaustiveBanks.cost(problem, ExhaustiveInPlacePlans::smallestArena));
  }

  private static void assertProved(BankedProblem problem, OptionalLong optimum) {
    BankedSearchResult result = BankedSearch.of(problem, OPTIONS).run();
    if (optimum.isEmpty()) {
      assertThat(result.end()).as("%s", problem).isEqualTo(BankedSearchEnd.NO_PLAN);
      assertThat(result.assignment()).isEmpty();
      return;
    }
    assertThat(result.end()).as("%s", problem).isEqualTo(BankedSearchEnd.OPTIMAL);
    assertThat(result.isOptimal()).isTrue();
    BankedAssignment plan = result.assignment().orElseThrow();
    assertThat(BankedAssignmentChecker.violation(problem, plan)).as("%s", problem).isEmpty();
    assertThat(plan.cost()).as("%s", problem).isEqualTo(optimum.getAsLong());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_nodeLimit_hasAValidBoundAndTheSameResultAgain(long seed) {
    BankedProblem problem = problem(seed);
    SearchOptions options = OPTIONS.withNodeLimit(seed % 12);
    BankedSearchResult result = BankedSearch.of(problem, options).run();
    OptionalLong optimum = ExhaustiveBanks.cost(problem, ExhaustivePlans::byOrders);
    assertThat(result.lowerBoundCost())
        .as("%s", problem)
        .isLessThanOrEqualTo(optimum.orElse(Long.MAX_VALUE));
    assertThat(result.end() == BankedSearchEnd.NO_PLAN && optimum.isPresent()).isFalse();
    result
        .assignment()
        .ifPresent(plan -> assertThat(BankedAssignmentChecker.violation(problem, plan)).isEmpty());
    assertThat(BankedSearch.of(problem, options).run()).isEqualTo(result);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void lowerCost_anyProblem_isAtMostTheBestOfAllAssignments(long seed) {
    BankedProblem problem = problem(seed);
    BankRelaxation relaxation = new BankRelaxation(problem, new StepCounter(() -> false));
    relaxation.checkInvariants();
    OptionalLong optimum = ExhaustiveBanks.cost(problem, ExhaustivePlans::byOrders);
    assertThat(relaxation.lowerCost())
        .as("%s", problem)
        .isLessThanOrEqualTo(optimum.orElse(Long.MAX_VALUE));
    if (optimum.isPresent()) {
      assertThat(relaxation.isInfeasible()).as("%s", problem).isFalse();
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_anyStrategy_isValidAndTheSearchIsNotWorse(long seed) {
    BankedProblem problem = BankedProblems.ofNetwork(40, seed);
    BankedAssignment greedy = BankedStrategy.BANKED_GREEDY.plan(problem);
    assertThat(BankedAssignmentChecker.violation(problem, greedy)).isEmpty();
    BankedSearchResult result = BankedSearch.of(problem, OPTIONS.withNodeLimit(200)).run();
    BankedAssignment plan = result.assignment().orElseThrow();
    assertThat(BankedAssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(plan.cost()).isBetween(result.lowerBoundCost(), greedy.cost());
  }
}
