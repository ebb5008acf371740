package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.cases.BankedProblems;
import dev.stowage.plan.cases.ExhaustiveBanks;
import dev.stowage.plan.cases.ExhaustiveInPlacePlans;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.search.SearchOptions;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Random;
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
  void run_largeCostsWithACommonDivisor_isTheBestOfAllAssignments(long seed) {
    BankedProblem problem = problem(seed);
    long factor = largestFactor(problem);
    BankedProblem large = problem.withCosts(cost -> cost * factor);
    assertProved(large, ExhaustiveBanks.cost(large, ExhaustivePlans::byOrders));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_anyLargeCosts_hasAPlanAndAValidBound(long seed) {
    BankedProblem problem = problem(seed);
    long factor = largestFactor(problem) / 2;
    BankedProblem large =
        problem.withCosts(cost -> cost * factor + new Random(seed + cost).nextLong(factor));
    OptionalLong optimum = ExhaustiveBanks.cost(large, ExhaustivePlans::byOrders);
    BankedSearchResult result = BankedSearch.of(large, OPTIONS).run();
    assertThat(result.end() == BankedSearchEnd.NO_PLAN).isEqualTo(optimum.isEmpty());
    assertThat(result.assignment().isPresent()).isEqualTo(optimum.isPresent());
    if (optimum.isPresent()) {
      BankedAssignment plan = result.assignment().orElseThrow();
      assertThat(BankedAssignmentChecker.violation(large, plan)).as("%s", large).isEmpty();
      assertThat(optimum.getAsLong()).isBetween(result.lowerBoundCost(), plan.cost());
      assertThat(plan.cost()).isLessThanOrEqualTo(optimum.getAsLong() + optimum.getAsLong() / 100);
    }
  }

  /** {@return a large factor of all costs with which no cost of a plan exceeds 2^63 - 1} */
  private static long largestFactor(BankedProblem problem) {
    long most = problem.banks().stream().mapToLong(MemoryBank::cost).max().orElse(0);
    long moved = 0;
    for (int i = 0; i < problem.recordCount(); i++) {
      moved += problem.movedBytes(i);
    }
    return Long.MAX_VALUE / (1 + moved) / (1 + most);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void lowerCost_anyProblem_isAtMostTheBestOfAllAssignments(long seed) {
    BankedProblem problem = problem(seed);
    BankRelaxation relaxation = new BankRelaxation(problem, new StepCounter(() -> false));
    relaxation.checkInvariants();
    OptionalLong optimum = ExhaustiveBanks.cost(problem, ExhaustivePlans::byOrders);
    assertThat(Math.max(relaxation.lowerCost(), relaxation.lowerCostOfAll()))
        .as("%s", problem)
        .isLessThanOrEqualTo(optimum.orElse(Long.MAX_VALUE));
    BankRelaxation stopped = new BankRelaxation(problem, new StepCounter(() -> true));
    assertThat(stopped.lowerCostOfAll())
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
    BankedPacking.plan(problem, new BankedLimit(OPTIONS, System::nanoTime))
        .ifPresent(
            packed -> assertThat(BankedAssignmentChecker.violation(problem, packed)).isEmpty());
    BankedSearchResult result = BankedSearch.of(problem, OPTIONS.withNodeLimit(200)).run();
    BankedAssignment plan = result.assignment().orElseThrow();
    assertThat(BankedAssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(plan.cost()).isBetween(result.lowerBoundCost(), greedy.cost());
  }
}
