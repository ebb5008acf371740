package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.GraphProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.explain.ConflictFinder;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.time.TaskLoad;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Searches and checks of problems with a graph. */
class ReuseGraphTest {

  private static PlanProblem problem(List<List<Integer>> dependents, TensorUsageRecord... records) {
    return PlanProblem.of(List.of(records)).withReuseGraph(ReuseGraph.ofUsage(dependents));
  }

  /** A graph that permits only the order of the tasks does not change any plan. */
  @Test
  void strategies_graphThatAllowsOneOrder_planAsWithout() {
    TensorUsageRecord[] records = new TensorUsageRecord[40];
    List<List<Integer>> dependents =
        IntStream.range(0, 40)
            .mapToObj(i -> i == 39 ? List.<Integer>of() : List.of(i + 1))
            .toList();
    Arrays.setAll(records, i -> TensorUsageRecord.of(1 + 37 * i % 23, i, Math.min(39, i + 1)));
    PlanProblem plain = PlanProblem.of(List.of(records));
    PlanProblem chain = problem(dependents, records);

    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      assertThat(strategy.planOffsets(chain)).isEqualTo(strategy.planOffsets(plain));
    }
    assertThat(LowerBounds.of(chain)).isEqualTo(LowerBounds.of(plain));
  }

  /** Two long chains have too many cliques for the exact form. */
  @Tag("full")
  @Test
  void search_chainsThatAreTooLong_isTheBestStrategyAndNotExhaustive() {
    PlanProblem problem = GraphProblems.twoChains(700, new Random(3));
    SearchOptions options = SearchOptions.defaults().withTimeLimit(Duration.ofHours(1));
    assertThat(ConflictForm.of(problem).exact()).isEmpty();

    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, options).run();

    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.end()).isEqualTo(SearchEnd.NOT_EXHAUSTIVE);
    assertThat(result.assignment().totalBytes())
        .isEqualTo(MemoryStrategy.GREEDY_IN_ORDER.planOffsets(problem).totalBytes());
    assertThat(result.lowerBoundBytes())
        .isGreaterThan(TaskLoad.bytes(problem))
        .isLessThan(result.assignment().totalBytes());
    long capacity = result.assignment().totalBytes();
    assertThat(OffsetsSearch.of(problem, options.withCapacity(capacity)).run().end())
        .isEqualTo(SearchEnd.CAPACITY_REACHED);
    assertThat(OffsetsSearch.of(problem, options.withCapacity(9)).run()).isEqualTo(result);
  }

  @Test
  void search_noTimeForChainsThatAreTooLong_endsWithTheTimeLimit() {
    PlanProblem problem = GraphProblems.twoChains(400, new Random(3));
    PlanProblem many = GraphProblems.twoChains(700, new Random(3));
    SearchOptions noTime = SearchOptions.defaults().withTimeLimit(Duration.ZERO);

    for (PlanProblem each : List.of(problem, many)) {
      SearchResult<OffsetsAssignment> result = OffsetsSearch.of(each, noTime).run();
      assertThat(AssignmentChecker.violation(each, result.assignment())).isEmpty();
      assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
    }
  }

  /**
   * With a stopped clock and no time, strategies have their grace period, but the search is over.
   */
  @Test
  void search_timeForStrategiesOnly_isTheBestOfThem() {
    PlanProblem problem = GraphProblems.twoChains(700, new Random(3));
    SearchOptions noTime = SearchOptions.defaults().withTimeLimit(Duration.ZERO);

    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, noTime, () -> 0).run();

    assertThat(result.assignment().totalBytes())
        .isLessThanOrEqualTo(
            Math.min(
                MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes(),
                MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).totalBytes()));
    assertThat(result.lowerBoundBytes()).isLessThanOrEqualTo(result.assignment().totalBytes());
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
  }

  /** No strategy runs, so no bytes are shared. Pinned records keep their offsets. */
  @Test
  void search_cancelledBeforeItBegins_isAPlanWithoutSharing() {
    PlanProblem problem =
        problem(
            List.of(List.of(1), List.of(2), List.of()),
            TensorUsageRecord.of(8, 0, 1),
            TensorUsageRecord.of(8, 1, 2),
            TensorUsageRecord.of(8, 2, 3).pinnedAt(4));
    AtomicLong nanos = new AtomicLong();
    OffsetsSearch search =
        OffsetsSearch.of(problem, SearchOptions.defaults(), () -> nanos.getAndAdd(1L << 40));
    search.cancel();

    SearchResult<OffsetsAssignment> result = search.run();

    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().offset(2)).isEqualTo(4);
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
  }

  @Test
  void checker_pairThatMayNotShare_isReported() {
    PlanProblem problem =
        problem(
            List.of(List.of(), List.of()),
            TensorUsageRecord.of(8, 1, 2),
            TensorUsageRecord.of(8, 3, 4));

    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(new long[] {0, 7}, 15)))
        .map(Violation::message)
        .hasValue(
            "V7 records 0 and 1 share bytes, but the graph allows an order in which both are live");
    assertThat(
            AssignmentChecker.violation(
                problem, ObjectsAssignment.of(new int[] {0, 0}, new long[] {8})))
        .map(Violation::message)
        .hasValue(
            "V7 records 0 and 1 share object 0, but the graph allows an order in which both are"
                + " live");
    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(new long[] {0, 8}, 16)))
        .isEmpty();
  }

  @Test
  void checker_bytesSharedDuringAGap_areReported() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(8, 1, 4).withGaps(List.of(Gap.of(2, 3))),
                    TensorUsageRecord.of(8, 2, 3)))
            .withReuseGraph(ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0))));

    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(new long[] {0, 0}, 8)))
        .map(Violation::message)
        .hasValue(
            "V7 records 0 and 1 share bytes, but both lifetimes include task 2; with a graph,"
                + " gaps are ignored");
  }

  /** The graph permits two records to be live at the same time, but their tasks do not overlap. */
  @Test
  void capacityConflict_ofAGraph_isFound() {
    PlanProblem problem =
        problem(
            List.of(List.of(), List.of(), List.of()),
            TensorUsageRecord.of(8, 1, 2),
            TensorUsageRecord.of(1, 2, 2),
            TensorUsageRecord.of(8, 3, 4));

    assertThat(ConflictFinder.find(problem, 15, SearchOptions.defaults()))
        .hasValueSatisfying(conflict -> {
          assertThat(conflict.records()).containsExactly(0, 2);
          assertThat(conflict.leastBytes()).isEqualTo(16);
        });
  }
}
