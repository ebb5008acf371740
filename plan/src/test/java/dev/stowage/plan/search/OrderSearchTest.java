package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OrderSearchTest {

  /** Two branches of a large and a small tensor each, which one operator joins. */
  private static final OperatorGraph BRANCHES =
      OperatorGraph.of(
              4,
              List.of(
                  Operator.of(List.of(), List.of(0)),
                  Operator.of(List.of(), List.of(1)),
                  Operator.of(List.of(0), List.of(2)),
                  Operator.of(List.of(1), List.of(3)),
                  Operator.of(List.of(2, 3), List.of())))
          .withOutputs(List.of());

  private static final PlanProblem PROBLEM =
      PlanProblem.of(
          List.of(
              TensorUsageRecord.of(100, 0, 0),
              TensorUsageRecord.of(100, 0, 0),
              TensorUsageRecord.of(1, 0, 0),
              TensorUsageRecord.of(1, 0, 0)));

  @Test
  void run_branches_finishesOneBeforeTheOther() {
    OrderSearchResult result = OrderSearch.of(PROBLEM, BRANCHES, SearchOptions.defaults()).run();
    assertThat(result.operators()).isIn(List.of(0, 2, 1, 3, 4), List.of(1, 3, 0, 2, 4));
    assertThat(result.assignment().totalBytes()).isEqualTo(102);
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
  }

  @Test
  void run_cancelledSearch_returnsTheGivenOrder() {
    OrderSearch search = OrderSearch.of(PROBLEM, BRANCHES, SearchOptions.defaults());
    search.cancel();
    OrderSearchResult result = search.run();
    assertThat(result.operators()).containsExactly(0, 1, 2, 3, 4);
    assertThat(result.assignment().totalBytes()).isEqualTo(201);
    assertThat(result.lowerBoundBytes()).isLessThanOrEqualTo(102);
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
  }

  /** The clock is beyond the limit at each look, so that only the first plans are made. */
  @Test
  void run_timeIsOver_returnsTheGivenOrderAndAWeakBound() {
    LongSupplier clock = LongStream.iterate(0, nanos -> nanos + 1_000_000_000).iterator()::next;
    SearchOptions options = SearchOptions.defaults().withTimeLimit(Duration.ofNanos(1));
    OrderSearchResult result = OrderSearch.of(PROBLEM, BRANCHES, options, clock).run();

    assertThat(result.operators()).containsExactly(0, 1, 2, 3, 4);
    assertThat(result.assignment().totalBytes()).isEqualTo(201);
    assertThat(result.lowerBoundBytes()).isEqualTo(101); // an operator reads 100 and writes 1
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
  }

  @Test
  void of_outputThatNoOperatorUses_isRejected() {
    OperatorGraph graph = OperatorGraph.of(1, List.of()).withOutputs(List.of(0));
    assertThatThrownBy(() ->
            OrderSearch.of(
                PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 0))),
                graph,
                SearchOptions.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an output that no operator uses must be an input, too: record=0");
  }
}
