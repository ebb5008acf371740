package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.check.AssignmentChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Searches that use records in place, or must not. */
class InPlaceSearchTest {

  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1));

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  /** {@return a chain in which each record may be in place of the one before} */
  private static PlanProblem chain(TensorUsageRecord... records) {
    List<InPlace> pairs = new ArrayList<>();
    for (int i = 1; i < records.length; i++) {
      pairs.add(new InPlace(i, i - 1));
    }
    return PlanProblem.of(List.of(records)).withInPlace(pairs);
  }

  private static OffsetsAssignment proved(PlanProblem problem) {
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, OPTIONS).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.isOptimal()).isTrue();
    return result.assignment();
  }

  @Test
  void run_aChainOfEqualRecords_takesTheBytesOfOne() {
    OffsetsAssignment plan = proved(chain(record(8, 0, 2), record(8, 2, 3), record(8, 3, 5)));
    assertThat(plan).isEqualTo(OffsetsAssignment.of(new long[] {0, 0, 0}, 8));
  }

  /** The records before and after the one of a single task must not share bytes. */
  @Test
  void run_aChainThroughASingleTask_usesOneOfTwoPairs() {
    PlanProblem problem = chain(record(8, 0, 2), record(8, 2, 2), record(5, 2, 4));
    assertThat(proved(problem).totalBytes()).isEqualTo(13);
    assertThat(proved(chain(record(8, 0, 2), record(8, 2, 2), record(8, 2, 4))).totalBytes())
        .isEqualTo(16);
  }

  @Test
  void run_twoRecordsInPlaceOfOne_usesThePairWithMoreBytes() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(8, 0, 2), record(3, 2, 4), record(7, 2, 4)))
            .withInPlace(List.of(new InPlace(1, 0), new InPlace(2, 0)));
    assertThat(proved(problem).totalBytes()).isEqualTo(11);
  }

  @Test
  void run_alignmentsOfBothRecords_holdForTheCommonOffset() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    record(1, 0, 4).pinnedAt(0),
                    record(8, 0, 2).withAlignment(4),
                    record(8, 2, 4).withAlignment(6)))
            .withInPlace(List.of(new InPlace(2, 1)));
    // In place, both are at 12. Otherwise, one is at 4 and the other at 12.
    assertThat(proved(problem)).isEqualTo(OffsetsAssignment.of(new long[] {0, 12, 12}, 20));
  }

  /** The least common multiple of the alignments exceeds 2^63 - 1, so that only offset 0 fits. */
  @Test
  void run_alignmentsWithoutACommonMultiple_shareOffsetZero() {
    PlanProblem problem =
        chain(
            record(8, 0, 2).withAlignment(1L << 40),
            record(8, 2, 4).withAlignment(847_288_609_443L)); // 3^25
    assertThat(proved(problem)).isEqualTo(OffsetsAssignment.of(new long[] {0, 0}, 8));
  }

  @Test
  void run_aPinOrAHintOfEither_holdsForBoth() {
    assertThat(proved(chain(record(8, 0, 2).pinnedAt(16), record(8, 2, 4))))
        .isEqualTo(OffsetsAssignment.of(new long[] {16, 16}, 24));
    assertThat(proved(chain(record(8, 0, 2), record(8, 2, 4).pinnedAt(16))))
        .isEqualTo(OffsetsAssignment.of(new long[] {16, 16}, 24));
    PlanProblem hinted =
        PlanProblem.of(List.of(record(8, 0, 2), record(8, 2, 4).withHint(8), record(8, 0, 4)))
            .withInPlace(List.of(new InPlace(1, 0)));
    assertThat(proved(hinted)).isEqualTo(OffsetsAssignment.of(new long[] {8, 8, 0}, 16));
  }

  @Test
  void run_pinsApart_areKept() {
    PlanProblem problem = chain(record(8, 0, 2).pinnedAt(0), record(8, 2, 4).pinnedAt(16));
    assertThat(proved(problem)).isEqualTo(OffsetsAssignment.of(new long[] {0, 16}, 24));
  }

  @Test
  void run_anOfferedPlan_isAnUpperBoundAlsoIfItUsesPairs() {
    PlanProblem problem = chain(record(8, 0, 2), record(8, 2, 3), record(8, 3, 5));
    OffsetsSearch search = OffsetsSearch.of(problem, OPTIONS.withNodeLimit(0));
    search.offer(OffsetsAssignment.of(new long[] {0, 0, 0}, 8));
    assertThat(search.run().assignment().totalBytes()).isEqualTo(8);
  }

  @Test
  void run_cancelled_returnsAValidPlan() {
    PlanProblem problem = chain(record(8, 0, 2), record(8, 2, 3), record(9, 3, 5));
    OffsetsSearch search = OffsetsSearch.of(problem, OPTIONS);
    search.cancel();
    SearchResult<OffsetsAssignment> result = search.run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.lowerBoundBytes()).isLessThanOrEqualTo(17);
  }

  @Test
  void run_progress_reportsBoundsOfTheProblemOnly() {
    List<SearchProgress> reports = new ArrayList<>();
    PlanProblem problem = InPlaceProblems.of(1_000_003, 40, 30);
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, OPTIONS.withNodeLimit(20_000).withProgress(reports::add)).run();
    for (SearchProgress report : reports) {
      assertThat(report.bestBytes()).isGreaterThanOrEqualTo(result.assignment().totalBytes());
      assertThat(report.lowerBoundBytes()).isLessThanOrEqualTo(result.lowerBoundBytes());
    }
  }
}
