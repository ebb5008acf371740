package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanProblemTest {

  @Test
  void withAlignment_belowOne_isRefused() { // if alignment < 1
    assertRefused(
        () -> PlanProblem.of(List.of()).withAlignment(0),
        "alignment must be positive: alignment=0");
  }

  @Test
  void withAlignment_misalignedPin_isRefused() { // a pinned offset is not a multiple of it
    PlanProblem problem =
        PlanProblem.of(
            List.of(TensorUsageRecord.of(1, 0, 0), TensorUsageRecord.of(1, 0, 0).pinnedAt(8)));
    assertThat(problem.withAlignment(4).alignment()).isEqualTo(4);
    assertRefused(
        () -> problem.withAlignment(3),
        "record 1 is pinned to an offset that is not a multiple of the alignment of all records: offset=8,"
            + " alignment=3");
  }

  @Test
  void withReuseGraph_ofOtherRecords_isRefused() { // the graph has another number of records
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 0)));
    assertRefused(
        () -> problem.withReuseGraph(ReuseGraph.ofUsage(List.of())),
        "the usage graph has 0 lists for 1 record, expected one for each");
    assertRefused(
        () -> problem.withReuseGraph(ReuseGraph.ofReallocation(new int[][] {{1}, {0}})),
        "the reallocation graph has 2 lists for 1 record, expected one for each");
  }

  // unless x.firstTask() < y.firstTask() <= x.lastTask()
  @ParameterizedTest
  @CsvSource({
    "2, 3, '1'", // before the first task
    "2, 3, '2'", // at the first task
    "2, 3, '4'" // after the last task
  })
  void withReuseGraph_lifetimesThatContradictIt_isRefused(long first, long last, long start) {
    ReuseGraph graph = ReuseGraph.ofUsage(List.of(List.of(1), List.of()));
    assertRefused(
        () ->
            PlanProblem.of(
                    List.of(
                        TensorUsageRecord.of(8, first, last), TensorUsageRecord.of(8, start, 9)))
                .withReuseGraph(graph),
        "record 1, computed from record 0 (tasks 2 to 3), starts at task "
            + start
            + "; expected task 3");
  }

  // all records one after the other do not fit into Long.MAX_VALUE bytes
  @Test
  void of_recordsUpToTheLargestLong_arePlanned() {
    long half = 1L << 62;
    PlanProblem problem =
        PlanProblem.of(
            List.of(TensorUsageRecord.of(half, 0, 0), TensorUsageRecord.of(half - 1, 0, 0)));
    assertThat(problem.naiveBytes()).isEqualTo(Long.MAX_VALUE);
    assertRefused(
        () ->
            PlanProblem.of(
                List.of(TensorUsageRecord.of(half, 0, 0), TensorUsageRecord.of(half, 1, 1))),
        "records up to record 1 need more than 2^63 - 1 bytes: bytes=4611686018427387904,"
            + " alignment=1");
    assertRefused(
        () -> problem.withAlignment(2),
        "records up to record 1 need more than 2^63 - 1 bytes: bytes=4611686018427387903,"
            + " alignment=1, alignment of all records=2");
  }

  @Test
  void of_pinThatEndsAboveTheLargestLong_isRefused() {
    assertRefused(
        () -> PlanProblem.of(List.of(TensorUsageRecord.of(2, 0, 0).pinnedAt(Long.MAX_VALUE - 1))),
        "records up to record 0 need more than 2^63 - 1 bytes: bytes=2, alignment=1");
  }

  /** The other records may need offsets above the pinned one. */
  @Test
  void of_pinWithoutRoomAboveIt_isRefused() {
    assertRefused(
        () ->
            PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(2, 0, 0).pinnedAt(Long.MAX_VALUE - 4),
                    TensorUsageRecord.of(1, 0, 0))),
        "records up to record 1 need more than 2^63 - 1 bytes: bytes=1, alignment=1");
  }

  @Test
  void of_alignmentsWithoutACommonMultiple_isRefused() {
    List<TensorUsageRecord> records = List.of(TensorUsageRecord.of(0, 0, 0).withAlignment(3));
    assertRefused(
        () -> new PlanProblem(records, 1L << 62, Optional.empty()),
        "records up to record 0 need more than 2^63 - 1 bytes: bytes=0, alignment=3, alignment of all records=4611686018427387904");
  }

  @Test
  void records_changedLater_areACopy() {
    List<TensorUsageRecord> records = new ArrayList<>(List.of(TensorUsageRecord.of(1, 0, 0)));
    PlanProblem problem = PlanProblem.of(records);
    records.clear();
    assertThat(problem.records()).containsExactly(TensorUsageRecord.of(1, 0, 0));
    assertThatThrownBy(() -> problem.records().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void alignmentOf_bothAlignments_isTheirLeastCommonMultiple() {
    TensorUsageRecord record = TensorUsageRecord.of(1, 0, 0).withAlignment(6);
    PlanProblem problem = PlanProblem.of(List.of(record)).withAlignment(4);
    assertThat(problem.alignmentOf(record)).isEqualTo(12);
    assertThat(problem.alignmentOf(TensorUsageRecord.of(1, 0, 0))).isEqualTo(4);
  }

  @Test
  void alignment_upAndLeastCommonMultiple_areTheSmallestMultiples() {
    assertThat(Alignment.up(0, 7)).isZero();
    assertThat(Alignment.up(1, 7)).isEqualTo(7);
    assertThat(Alignment.up(7, 7)).isEqualTo(7);
    assertThat(Alignment.up(15, 7)).isEqualTo(21);
    assertThat(Alignment.leastCommonMultiple(1L << 62, 1L << 62)).isEqualTo(1L << 62);
    assertThatThrownBy(() -> Alignment.leastCommonMultiple(1L << 62, 3))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void usageGraph_unknownRecord_isRefused() { // negative or >= dependents.size()
    assertRefused(
        () -> ReuseGraph.ofUsage(List.of(List.of(1), List.of(2))),
        "usage_graph[1] contains record 2, but there are 2 records, expected 0 to 1");
    assertRefused(
        () -> ReuseGraph.ofUsage(List.of(List.of(-1))),
        "usage_graph[0] contains record -1, but there is 1 record, expected 0");
  }

  @Test
  void usageGraph_recordThatDependsOnItself_isRefused() { // a record depends on itself
    assertRefused(
        () -> ReuseGraph.ofUsage(List.of(List.of(1), List.of(1))),
        "usage_graph[1] contains record 1 itself, expected other records");
  }

  @Test
  void usageGraph_cycle_isRefused() { // the edges form a cycle
    assertRefused(
        () -> ReuseGraph.ofUsage(new int[][] {{1}, {2}, {3, 5}, {1, 4}, {}, {}}),
        "the usage graph has a cycle: records 1 -> 2 -> 3 -> 1; expected each record to depend on"
            + " earlier ones");
    int[][] ring = new int[40][];
    Arrays.setAll(ring, i -> new int[] {(i + 1) % 40});
    assertThatThrownBy(() -> ReuseGraph.ofUsage(ring)).hasMessageContaining(" -> ...;");
  }

  @Test
  void graphs_ofTooManyRecords_areRefused() { // there are more than 200,000 records
    int[][] lists = new int[200_001][0];
    String message = "a graph has 200001 records, expected at most 200000";
    assertRefused(() -> ReuseGraph.ofUsage(lists), message);
    assertRefused(() -> ReuseGraph.ofReallocation(lists), message);
  }

  @Test
  void reallocationGraph_brokenPairs_areRefused() { // a record is its own partner, or one-sided
    assertRefused(
        () -> ReuseGraph.ofReallocation(List.of(List.of(0))),
        "reallocation_graph[0] contains record 0 itself, expected other records");
    assertRefused(
        () -> ReuseGraph.ofReallocation(List.of(List.of(1), List.of())),
        "reallocation_graph[0] contains record 1, but reallocation_graph[1] does not contain record"
            + " 0; expected a symmetric graph");
    assertRefused(
        () -> ReuseGraph.ofReallocation(List.of(List.of(1))),
        "reallocation_graph[0] contains record 1, but there is 1 record, expected 0");
  }

  @Test
  void usageGraph_listsChangedLater_areCopies() {
    List<Integer> edges = new ArrayList<>(List.of(1));
    ReuseGraph graph = ReuseGraph.ofUsage(List.of(edges, List.of()));
    edges.clear();
    graph.dependents(0)[0] = 7;
    assertThat(graph.dependents(0)).containsExactly(1);
    assertThat(graph.recordCount()).isEqualTo(2);
  }

  /*
   *   0 ---> 1 ---> 3 ---> 4        1 and 2 read 0; both lead to 3, so 3 and 4 may follow 0.
   *    \---> 2 ----/                No record reads 4, so no record follows it.
   */
  @Test
  void reallocationGraph_diamond_pairsARecordWithTheFollowersOfAllReaders() {
    ReuseGraph reallocation =
        ReuseGraph.ofUsage(List.of(List.of(1, 2), List.of(3), List.of(3), List.of(4), List.of()))
            .reallocationGraph();
    int[][] expected = {{3, 4}, {4}, {4}, {0}, {0, 1, 2}};
    for (int i = 0; i < expected.length; i++) {
      assertThat(reallocation.partners(i)).as("record %d", i).containsExactly(expected[i]);
    }
    assertThat(reallocation.mayShare(0, 3)).isTrue();
    assertThat(reallocation.mayShare(0, 2)).isFalse();
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
