package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The pairs of a problem of which one record may be in place of the other. */
class InPlaceTest {

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  private static final PlanProblem PROBLEM =
      PlanProblem.of(
          List.of(
              record(8, 0, 2), record(8, 2, 3), record(8, 2, 2), record(8, 3, 5), record(9, 2, 4)));

  private static InPlace pair(int record, int source) {
    return new InPlace(record, source);
  }

  private static void assertRefused(String message, InPlace... pairs) {
    assertThatThrownBy(() -> PROBLEM.withInPlace(List.of(pairs)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void withInPlace_anyOrder_isSortedByRecord() {
    PlanProblem problem = PROBLEM.withInPlace(List.of(pair(3, 1), pair(1, 0)));
    assertThat(problem.inPlace()).containsExactly(pair(1, 0), pair(3, 1));
    assertThat(problem).isEqualTo(PROBLEM.withInPlace(List.of(pair(1, 0), pair(3, 1))));
    assertThat(problem).isNotEqualTo(PROBLEM);
    assertThat(problem.withAlignment(2).inPlace()).isEqualTo(problem.inPlace());
    assertThat(problem.withInPlace(List.of())).isEqualTo(PROBLEM);
  }

  @Test
  void withInPlace_unknownRecords_isRefused() { // negative or >= records().size()
    String start = "a pair of records in place must have indices below the number of records: ";
    assertRefused(start + "record=5, records=5", pair(5, 0));
    assertRefused(start + "record=-1, records=5", pair(-1, 0));
    assertRefused(start + "source=5, records=5", pair(1, 5));
    assertRefused(start + "source=-1, records=5", pair(1, -1));
  }

  @Test
  void withInPlace_aSourceThatDoesNotEndAtTheFirstTask_isRefused() {
    assertRefused(
        "record 3 is in place of record 0, so its first task must be the last task of record 0: first task=3,"
            + " last task=2",
        pair(3, 0));
  }

  @Test
  void withInPlace_twoSources_isRefused() { // a record is in place of two others
    assertRefused(
        "record 1 must be in place of at most one record: 0 and 2", pair(1, 0), pair(1, 2));
  }

  @Test
  void withInPlace_itself_isRefused() { // in place of itself, directly or by way of others
    assertRefused("record 2 must not be in place of itself", pair(2, 2));
    PlanProblem ring =
        PlanProblem.of(List.of(record(1, 4, 4), record(1, 4, 4), record(1, 4, 4), record(1, 4, 5)));
    assertThatThrownBy(
            () -> ring.withInPlace(List.of(pair(0, 1), pair(1, 2), pair(2, 0), pair(3, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("record 0 must not be in place of itself by way of others");
    assertThat(ring.withInPlace(List.of(pair(0, 1), pair(1, 2), pair(3, 2))).inPlace()).hasSize(3);
  }

  @Test
  void subset_ofPairs_keepsThoseOfChosenRecords() {
    PlanProblem problem = PROBLEM.withInPlace(List.of(pair(1, 0), pair(3, 1)));
    assertThat(problem.subset(List.of(3, 2, 1)).inPlace()).containsExactly(pair(0, 2));
    assertThat(problem.subset(List.of(0, 3)).inPlace()).isEmpty();
  }

  @Test
  void usableInPlace_pairsWithoutEffect_areLeftOut() {
    PlanProblem problem =
        PROBLEM.withInPlace(List.of(pair(1, 0), pair(2, 0), pair(3, 1), pair(4, 0)));
    assertThat(problem.usableInPlace()).containsExactly(pair(1, 0), pair(2, 0), pair(3, 1));
    assertThat(
            problem
                .withReuseGraph(
                    ReuseGraph.ofReallocation(
                        List.of(List.of(), List.of(), List.of(), List.of(), List.of())))
                .usableInPlace())
        .isEmpty();
    PlanProblem withGaps =
        PlanProblem.of(
                List.of(
                    record(8, 0, 2).withGaps(List.of(Gap.of(2, 2))),
                    record(8, 2, 4),
                    record(8, 4, 6).withGaps(List.of(Gap.of(4, 5))),
                    record(8, 4, 6).withGaps(List.of(Gap.of(5, 6)))))
            .withInPlace(List.of(pair(1, 0), pair(2, 1), pair(3, 1)));
    assertThat(withGaps.usableInPlace()).containsExactly(pair(3, 1));
  }
}
