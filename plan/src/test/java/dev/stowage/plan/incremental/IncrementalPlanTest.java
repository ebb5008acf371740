package dev.stowage.plan.incremental;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.UnsupportedProblemException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Examples of changes, and rejected problems and changes. */
class IncrementalPlanTest {

  private static final PlanProblem PROBLEM =
      PlanProblem.of(
          List.of(
              TensorUsageRecord.of(4, 0, 1),
              TensorUsageRecord.of(3, 1, 2).withName("skip"),
              TensorUsageRecord.of(2, 2, 3)));

  /*
   *   6 |    +--+
   *   4 | +--+B |        B starts at task 2: it takes the bytes of A, and C those above it
   *   2 | |A  +-+--+
   *   0 | +--++ C  |
   *       0  1  2  3
   */
  @Test
  void setLifetime_recordStartsLater_takesTheBytesOfTheOther() {
    IncrementalPlan plan = IncrementalPlan.of(PROBLEM);
    assertThat(plan.loadBytes()).isEqualTo(7);
    assertThat(plan.assignment()).isEqualTo(OffsetsAssignment.of(new long[] {0, 4, 0}, 7));
    plan.setLifetime(1, 2, 2);
    assertThat(plan.loadBytes()).isEqualTo(5);
    assertThat(plan.assignment()).isEqualTo(OffsetsAssignment.of(new long[] {0, 0, 3}, 5));
    assertThat(plan.firstTask(1)).isEqualTo(2);
    assertThat(plan.lastTask(1)).isEqualTo(2);
  }

  @Test
  void example_ofTheDocumentation_keepsTheSmallerPlan() {
    IncrementalPlan plan = IncrementalPlan.of(PROBLEM);
    long bestBytes = plan.totalBytes();
    plan.checkpoint();
    plan.setLifetime(1, 2, 3); // record 1 now lives from task 2 to task 3
    if (plan.loadBytes() < bestBytes && plan.totalBytes() < bestBytes) {
      plan.commit();
    } else {
      plan.rollback();
    }
    assertThat(bestBytes).isEqualTo(7);
    assertThat(plan.totalBytes()).isEqualTo(5);
    assertThat(plan.problem().records().get(1))
        .isEqualTo(TensorUsageRecord.of(3, 2, 3).withName("skip"));
  }

  @Test
  void rollback_nestedCheckpoints_restoresEach() {
    IncrementalPlan plan = IncrementalPlan.of(PROBLEM);
    plan.checkpoint();
    plan.setLifetime(0, 0, 0);
    assertThat(plan.totalBytes()).isEqualTo(5);
    plan.checkpoint();
    plan.setLifetime(2, 3, 3);
    assertThat(plan.totalBytes()).isEqualTo(4);
    plan.rollback();
    assertThat(plan.totalBytes()).isEqualTo(5);
    plan.rollback();
    assertThat(plan.assignment()).isEqualTo(OffsetsAssignment.of(new long[] {0, 4, 0}, 7));
    assertThat(plan.problem()).isEqualTo(PROBLEM);
  }

  @Test
  void rollback_afterInnerCommit_takesAllBack() {
    IncrementalPlan plan = IncrementalPlan.of(PROBLEM);
    plan.checkpoint();
    plan.checkpoint();
    plan.setLifetime(0, 0, 0);
    assertThat(plan.totalBytes()).isEqualTo(5);
    plan.commit();
    plan.rollback();
    assertThat(plan.totalBytes()).isEqualTo(7);
  }

  @Test
  void rollback_noCheckpoint_isRejected() {
    IncrementalPlan plan = IncrementalPlan.of(PROBLEM);
    assertThatThrownBy(plan::rollback)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rollback without a checkpoint: call checkpoint() first");
    assertThatThrownBy(plan::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("commit without a checkpoint: call checkpoint() first");
    plan.checkpoint();
    plan.commit();
    assertThatThrownBy(plan::rollback).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void plan_noRecords_isEmpty() {
    IncrementalPlan plan = IncrementalPlan.of(PlanProblem.of(List.of()));
    assertThat(plan.loadBytes()).isZero();
    assertThat(plan.totalBytes()).isZero();
    assertThat(plan.taskCount()).isEqualTo(1);
    assertThat(plan.assignment().recordCount()).isZero();
  }

  @Test
  void gap_inALifetime_reducesOnlyTheLoad() {
    TensorUsageRecord withGap = TensorUsageRecord.of(4, 0, 3).withGaps(List.of(Gap.of(1, 2)));
    IncrementalPlan plan =
        IncrementalPlan.of(PlanProblem.of(List.of(withGap, TensorUsageRecord.of(3, 1, 2))));
    assertThat(plan.loadBytes()).isEqualTo(4);
    assertThat(plan.totalBytes()).isEqualTo(7);
    assertThatThrownBy(() -> plan.setLifetime(0, 2, 3)) // a gap is not within the lifetime
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a gap must lie within the lifetime: gap 1 to 2, lifetime 2 to 3");
    assertThatThrownBy(() -> plan.setLifetime(0, 0, 1))
        .hasMessage("a gap must lie within the lifetime: gap 1 to 2, lifetime 0 to 1");
    plan.checkInvariants();
  }

  @Test
  void setLifetime_wrongTasks_isRejectedWithoutAChange() {
    IncrementalPlan plan = IncrementalPlan.of(PROBLEM);
    assertArgument( // firstTask < 0
        () -> plan.setLifetime(0, -1, 1), "the first task must not be negative: first task=-1");
    assertArgument( // firstTask > lastTask
        () -> plan.setLifetime(0, 2, 1),
        "the first task must not be after the last task: first task=2, last task=1");
    assertArgument( // lastTask >= taskCount()
        () -> plan.setLifetime(1, 2, 4),
        "lastTask of record 1 'skip' must be less than the number of tasks: lastTask=4, taskCount=4");
    assertThatThrownBy(() -> plan.setLifetime(3, 0, 1)) // record >= recordCount()
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(plan.problem()).isEqualTo(PROBLEM);
  }

  @Test
  void of_unsupportedProblem_isRejected() {
    PlanProblem pinned =
        PlanProblem.of(List.of(TensorUsageRecord.of(4, 0, 1).withName("x").pinnedAt(0)));
    assertThatThrownBy(() -> IncrementalPlan.of(pinned)) // a record is pinned
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("an incremental plan cannot place pinned records: record 0 'x' is pinned");
    PlanProblem graph =
        PROBLEM.withReuseGraph(ReuseGraph.ofUsage(List.of(List.of(1), List.of(2), List.of())));
    assertThatThrownBy(() -> IncrementalPlan.of(graph)) // the problem has a reuse graph
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("an incremental plan does not support reuse graphs");
    PlanProblem inPlace =
        PlanProblem.of(List.of(TensorUsageRecord.of(4, 0, 1), TensorUsageRecord.of(4, 1, 2)))
            .withInPlace(List.of(new InPlace(1, 0)));
    assertThatThrownBy(() -> IncrementalPlan.of(inPlace)) // a record may take over another
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("an incremental plan does not support records in place of others");
  }

  @Test
  void of_wrongNumberOfTasks_isRejected() {
    assertArgument( // taskCount < 1
        () -> IncrementalPlan.of(PROBLEM, 0), "taskCount must be from 1 to 16777216: taskCount=0");
    assertArgument( // taskCount > MAX_TASKS
        () -> IncrementalPlan.of(PROBLEM, 1 << 24 | 1),
        "taskCount must be from 1 to 16777216: taskCount=16777217");
    assertArgument( // lastTask >= taskCount
        () -> IncrementalPlan.of(PROBLEM, 3),
        "lastTask of record 2 must be less than the number of tasks: lastTask=3, taskCount=3");
    PlanProblem nanoseconds = PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, Long.MAX_VALUE)));
    assertArgument(
        () -> IncrementalPlan.of(nanoseconds),
        "lastTask of record 0 must be less than the number of tasks: "
            + "lastTask=9223372036854775807, taskCount=16777216");
  }

  private static void assertArgument(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
