package dev.stowage.plan.incremental;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.UnsupportedProblemException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Examples of orders, and rejected graphs and moves. */
class OperatorOrderTest {

  /*
   * Two branches, each of a large and a small tensor, and a sum of both:
   *
   *   record      0 input   1 large   2 small   3 large   4 small   5 output
   *   operator              0: 0→1    1: 1→2    2: 0→3    3: 3→4    4: 2,4→5
   */
  private static final List<Operator> BRANCHES =
      List.of(
          Operator.of(List.of(0), List.of(1)),
          Operator.of(List.of(0), List.of(3)),
          Operator.of(List.of(1), List.of(2)),
          Operator.of(List.of(3), List.of(4)),
          Operator.of(List.of(2, 4), List.of(5)));

  private static final PlanProblem PROBLEM = problem(1, 8, 1, 8, 1, 1);

  private static PlanProblem problem(long... bytes) {
    return PlanProblem.of(
        java.util.Arrays.stream(bytes).mapToObj(b -> TensorUsageRecord.of(b, 0, 0)).toList());
  }

  private static OperatorGraph graph() {
    return OperatorGraph.of(6, BRANCHES).withInputs(List.of(0)).withOutputs(List.of(5));
  }

  @Test
  void example_ofTheDocumentation_finishesABranchBeforeTheOther() {
    PlanProblem problem = PROBLEM;
    OperatorGraph graph = graph();
    OperatorOrder order = OperatorOrder.of(problem, graph);
    assertThat(order.totalBytes()).isEqualTo(17);
    long bestBytes = order.totalBytes();
    for (int position = 0; position + 1 < order.operatorCount(); position++) {
      if (order.canMove(position, position + 1)) {
        order.checkpoint();
        order.move(position, position + 1); // swaps two neighbours
        if (order.loadBytes() < bestBytes && order.totalBytes() < bestBytes) {
          order.commit();
          bestBytes = order.totalBytes();
        } else {
          order.rollback();
        }
      }
    }
    assertThat(bestBytes).isEqualTo(10);
    assertThat(order.operators()).containsExactly(0, 2, 1, 3, 4);
    assertThat(order.loadBytes()).isEqualTo(10);
    assertThat(order.assignment())
        .isEqualTo(OffsetsAssignment.of(new long[] {8, 0, 9, 0, 8, 0}, 10));
    assertThat(order.offset(2)).isEqualTo(9);
  }

  @Test
  void lifetimes_ofTheGivenOrder_reachFromTheWriterToTheLastReader() {
    OperatorOrder order = OperatorOrder.of(PROBLEM, graph());
    assertThat(order.problem().records())
        .containsExactly(
            TensorUsageRecord.of(1, 0, 1),
            TensorUsageRecord.of(8, 0, 2),
            TensorUsageRecord.of(1, 2, 4),
            TensorUsageRecord.of(8, 1, 3),
            TensorUsageRecord.of(1, 3, 4),
            TensorUsageRecord.of(1, 4, 4));
  }

  @Test
  void of_anotherOrder_isThatAfterMoves() {
    OperatorOrder moved = OperatorOrder.of(PROBLEM, graph());
    moved.move(1, 2);
    int[] operators = {0, 2, 1, 3, 4};
    OperatorOrder order = OperatorOrder.of(PROBLEM, graph(), operators);
    assertThat(order.operators()).containsExactly(moved.operators());
    assertThat(order.problem().records()).isEqualTo(moved.problem().records());
    assertThat(OperatorOrder.problemOf(PROBLEM, graph(), operators).records())
        .isEqualTo(moved.problem().records());
    assertThat(order.assignment()).isEqualTo(moved.assignment());
    order.checkInvariants();
  }

  @Test
  void of_wrongOrder_isRejected() {
    assertArgument(
        () -> OperatorOrder.of(PROBLEM, graph(), new int[] {0, 2, 3, 1, 4}),
        "operator 1 must come before operator 3");
    assertArgument(
        () -> OperatorOrder.of(PROBLEM, graph(), new int[] {0, 1, 2, 3}),
        "an order must have each operator of the graph once: order=4, graph=5");
    assertArgument(
        () -> OperatorOrder.of(PROBLEM, graph(), new int[] {0, 1, 1, 2, 3}),
        "an order must have each operator of the graph once: order=5, graph=5");
  }

  @Test
  void lifetimes_ofInputsAndOutputs_reachToTheEnds() {
    List<Operator> operators =
        List.of(
            Operator.of(List.of(), List.of(0)),
            Operator.of(List.of(0, 1), List.of(2, 3)),
            Operator.of(List.of(3), List.of(4)));
    OperatorGraph graph =
        OperatorGraph.of(6, operators).withInputs(List.of(1, 5)).withOutputs(List.of(2, 4));
    OperatorOrder order = OperatorOrder.of(problem(1, 1, 1, 1, 1, 1), graph);
    assertThat(order.problem().records())
        .containsExactly(
            TensorUsageRecord.of(1, 0, 1),
            TensorUsageRecord.of(1, 0, 1), // an input
            TensorUsageRecord.of(1, 1, 2), // an output that no operator reads
            TensorUsageRecord.of(1, 1, 2),
            TensorUsageRecord.of(1, 2, 2),
            TensorUsageRecord.of(1, 0, 0)); // an input that no operator reads
  }

  @Test
  void lifetimes_noOperators_areOneTask() {
    OperatorGraph graph = OperatorGraph.of(1, List.of()).withInputs(List.of(0));
    OperatorOrder order = OperatorOrder.of(problem(7), graph.withOutputs(List.of(0)));
    assertThat(order.problem().records()).containsExactly(TensorUsageRecord.of(7, 0, 0));
    assertThat(order.operatorCount()).isZero();
  }

  @Test
  void positions_ofDependentOperators_limitMoves() {
    OperatorOrder order = OperatorOrder.of(PROBLEM, graph());
    assertThat(order.earliestPosition(2)).isEqualTo(1);
    assertThat(order.latestPosition(2)).isEqualTo(3);
    assertThat(order.canMove(2, 3)).isTrue();
    assertThat(order.canMove(2, 4)).isFalse();
    assertThat(order.canMove(2, 0)).isFalse();
    assertArgument( // !canMove(from, to)
        () -> order.move(2, 4), "operator 2 can only move to positions from 1 to 3: from=2, to=4");
    assertThatThrownBy(() -> order.move(0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> order.move(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void dependencies_ofARecordWithTwoWriters_keepItsReadersBetween() {
    List<Operator> operators =
        List.of(
            Operator.of(List.of(), List.of(0)),
            Operator.of(List.of(0), List.of(1)),
            Operator.of(List.of(), List.of(0)), // writes record 0 after operator 1 has read it
            Operator.of(List.of(0), List.of(2)));
    OperatorOrder order = OperatorOrder.of(problem(1, 1, 1), OperatorGraph.of(3, operators));
    for (int position = 0; position < 4; position++) {
      assertThat(order.earliestPosition(position)).isEqualTo(position);
      assertThat(order.latestPosition(position)).isEqualTo(position);
    }
  }

  @Test
  void after_otherwiseIndependentOperators_keepsTheirOrder() {
    List<Operator> operators =
        List.of(
            Operator.of(List.of(), List.of(0)),
            Operator.of(List.of(), List.of(1)).withAfter(List.of(0)));
    OperatorOrder order = OperatorOrder.of(problem(1, 1), OperatorGraph.of(2, operators));
    assertThat(order.canMove(0, 1)).isFalse();
    assertThat(order.canMove(1, 0)).isFalse();
  }

  @Test
  void rollback_afterMoves_restoresTheOrder() {
    OperatorOrder order = OperatorOrder.of(PROBLEM, graph());
    order.checkpoint();
    order.move(1, 2);
    order.checkpoint();
    order.move(0, 0);
    order.commit();
    assertThat(order.totalBytes()).isEqualTo(10);
    order.rollback();
    assertThat(order.operators()).containsExactly(0, 1, 2, 3, 4);
    assertThat(order.totalBytes()).isEqualTo(17);
    assertThatThrownBy(order::rollback)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rollback without a checkpoint: call checkpoint() first");
    assertThatThrownBy(order::commit).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void graph_wrongIndices_isRejected() {
    Operator reader = Operator.of(List.of(1), List.of());
    Operator writer = Operator.of(List.of(), List.of(-1));
    assertArgument( // recordCount < 0
        () -> OperatorGraph.of(-1, List.of()), "recordCount must not be negative: recordCount=-1");
    assertArgument( // a record is not from 0 to recordCount - 1
        () -> OperatorGraph.of(1, List.of(reader)),
        "operator 0 uses a record that does not exist: record=1, recordCount=1");
    assertArgument(
        () -> OperatorGraph.of(1, List.of(writer)),
        "operator 0 uses a record that does not exist: record=-1, recordCount=1");
    assertArgument(
        () -> graph().withInputs(List.of(6)),
        "an input is a record that does not exist: record=6, recordCount=6");
    assertArgument(
        () -> graph().withOutputs(List.of(-1)),
        "an output is a record that does not exist: record=-1, recordCount=6");
    assertArgument( // an operator of after is not an earlier one
        () -> OperatorGraph.of(2, List.of(reader, reader.withAfter(List.of(1)))),
        "operator 1 can only be after an earlier operator: after=1");
  }

  @Test
  void of_problemThatDoesNotFit_isRejected() {
    assertArgument(
        () -> OperatorOrder.of(problem(1, 1), graph()),
        "the problem and the graph must have the same number of records: problem=2, graph=6");
    PlanProblem named = PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 0).withName("x")));
    assertArgument(
        () -> OperatorOrder.of(named, OperatorGraph.of(1, List.of())),
        "record 0 'x' has no operator: make it an input or an output of the graph");
    OperatorGraph graph = OperatorGraph.of(1, List.of()).withInputs(List.of(0));
    PlanProblem withGap =
        PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 2).withGaps(List.of(Gap.of(1, 1)))));
    assertThatThrownBy(() -> OperatorOrder.of(withGap, graph))
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("an order of operators does not support gaps: record 0 has gaps");
    PlanProblem pinned = PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 2).pinnedAt(0)));
    assertThatThrownBy(() -> OperatorOrder.of(pinned, graph))
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("an incremental plan cannot place pinned records: record 0 is pinned");
  }

  private static void assertArgument(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
