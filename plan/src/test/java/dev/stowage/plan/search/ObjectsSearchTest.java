package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.Gap;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link ObjectsSearch} for small and for special problems. */
class ObjectsSearchTest {

  /** {@return the result of a search whose clock stands still} */
  private static SearchResult<ObjectsAssignment> search(PlanProblem problem, long nodeLimit) {
    SearchOptions options = SearchOptions.defaults().withNodeLimit(nodeLimit);
    return ObjectsSearch.of(problem, options, () -> 0).run();
  }

  private static SearchResult<ObjectsAssignment> search(PlanProblem problem) {
    return search(problem, 100_000);
  }

  private static PlanProblem problem(long[]... bytesFirstLast) {
    return PlanProblem.of(
        Arrays.stream(bytesFirstLast).map(f -> TensorUsageRecord.of(f[0], f[1], f[2])).toList());
  }

  @Test
  void search_noRecords_needsNothing() {
    SearchResult<ObjectsAssignment> result = search(problem());
    assertThat(result.assignment().objectCount()).isZero();
    assertThat(result.isOptimal()).isTrue();
  }

  @Test
  void run_aSecondTime_isRejected() {
    ObjectsSearch search = ObjectsSearch.of(problem(), SearchOptions.defaults());
    SearchResult<ObjectsAssignment> result = search.run();
    assertThatThrownBy(search::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a search runs only once: create another ObjectsSearch");
    assertThatThrownBy(() -> search.offer(result.assignment()))
        .isInstanceOf(IllegalStateException.class);
  }

  /*
   *           0   1   2   3
   *   0 (8)   B       D   D       tasks 0 and 2 need 11 bytes
   *   1 (3)   A   A   C
   */
  @Test
  void search_lowerBoundCanBeMet_meetsIt() {
    PlanProblem problem =
        problem(
            new long[] {3, 0, 1}, new long[] {8, 0, 0}, new long[] {3, 2, 2}, new long[] {8, 2, 3});
    SearchResult<ObjectsAssignment> result = search(problem);
    assertThat(result.assignment().totalBytes()).isEqualTo(11);
    assertThat(result.lowerBoundBytes()).isEqualTo(11);
    assertThat(result.isOptimal()).isTrue();
    assertThat(result.nodes()).isZero();
  }

  /*
   *           0   1   2   3
   *   0 (5)   A       C   D       only B overlaps other lifetimes
   *   1 (1)       B   B   B
   */
  @Test
  void search_forcedOrder_sharesOneLargeObject() {
    PlanProblem problem =
        problem(
            new long[] {5, 0, 0}, new long[] {1, 1, 3}, new long[] {5, 2, 2}, new long[] {5, 3, 3});
    SearchResult<ObjectsAssignment> result = search(problem);
    assertThat(result.assignment())
        .isEqualTo(ObjectsAssignment.of(new int[] {0, 1, 0, 0}, new long[] {5, 1}));
  }

  /*
   *           0   1   2
   *   0 (4)   A   C   C       B and C need an object each, and one of them has that of A. D takes
   *   1 (4)   B   B   D       the other object, which would otherwise have only 2 bytes
   */
  @Test
  void search_lowerBoundCannotBeMet_provesMore() {
    PlanProblem problem =
        problem(
            new long[] {4, 0, 0}, new long[] {2, 0, 1}, new long[] {2, 1, 2}, new long[] {4, 2, 2});
    SearchResult<ObjectsAssignment> result = search(problem);
    assertThat(LowerBounds.of(problem).objectsBytes()).isEqualTo(6);
    assertThat(result.assignment().totalBytes()).isEqualTo(8);
    assertThat(result.lowerBoundBytes()).isEqualTo(8);
  }

  @Test
  void search_recordsOfNoBytes_haveObjectsOfNoBytes() {
    PlanProblem problem =
        problem(
            new long[] {0, 0, 3},
            new long[] {4, 0, 0},
            new long[] {2, 0, 1},
            new long[] {2, 1, 2},
            new long[] {4, 2, 2},
            new long[] {0, 0, 0},
            new long[] {0, 2, 2});
    SearchResult<ObjectsAssignment> result = search(problem);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isEqualTo(8);
    assertThat(result.isOptimal()).isTrue();
  }

  @Test
  void search_gap_holdsTheObjectThroughout() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(8, 0, 2).withGaps(List.of(Gap.of(1, 1))),
                TensorUsageRecord.of(8, 1, 1)));
    assertThat(search(problem).assignment().totalBytes()).isEqualTo(16);
  }

  @Test
  void search_pinnedRecord_isRejected() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1).pinnedAt(0)));
    assertThatThrownBy(() -> search(problem))
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("ObjectsSearch cannot place pinned records in shared objects");
  }

  @Test
  void search_sizesNearTheLargestLong_doNotOverflow() {
    long third = Long.MAX_VALUE / 4;
    PlanProblem problem =
        problem(
            new long[] {third, 0, 0},
            new long[] {third - 5, 0, 1},
            new long[] {third - 5, 1, 2},
            new long[] {third, 2, 2});
    SearchResult<ObjectsAssignment> result = search(problem);
    assertThat(result.assignment().totalBytes()).isEqualTo(2 * third);
    assertThat(result.isOptimal()).isTrue();
  }

  @Test
  void search_manyLiveRecords_improvesOnAllStrategies() {
    Random random = new Random(11);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long first = random.nextInt(40);
      long bytes = 1L + random.nextInt(1000);
      long length = random.nextInt(1 << random.nextInt(6));
      records.add(TensorUsageRecord.of(bytes, first, first + length));
    }
    PlanProblem problem = PlanProblem.of(records);
    SearchResult<ObjectsAssignment> result = search(problem);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    long strategies = search(problem, 0).assignment().totalBytes();
    assertThat(result.assignment().totalBytes()).isLessThan(strategies);
    assertThat(search(problem, 100_000)).isEqualTo(result);
  }

  /** Too many entries for the tables of a sweep, and many objects. */
  @Tag("full")
  @Test
  void search_manyLongLifetimes_endsAtItsLimit() {
    Random random = new Random(5);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      long first = random.nextInt(4_000);
      records.add(
          TensorUsageRecord.of(1L + random.nextInt(20), first, first + random.nextInt(3_000)));
    }
    PlanProblem problem = PlanProblem.of(records);
    SearchResult<ObjectsAssignment> result = search(problem, 20_000);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes())
        .isLessThanOrEqualTo(MemoryStrategy.GREEDY_BEST.planObjects(problem).totalBytes());
  }
}
