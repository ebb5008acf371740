package dev.stowage.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.textures.TextureChecker;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Assignments that violate each rule of the checker. */
class AssignmentCheckerTest {

  /*
   *   bytes        task 0   1   2
   *   0 to 10           A   A   C
   *  10 to 14               B   B
   */
  private static final PlanProblem PROBLEM =
      PlanProblem.of(
          List.of(
              TensorUsageRecord.of(10, 0, 1),
              TensorUsageRecord.of(4, 1, 2),
              TensorUsageRecord.of(10, 2, 2)));

  @Test
  void violation_validPlans_isEmpty() {
    assertThat(offsets(PROBLEM, 14, 0, 10, 0)).isEmpty();
    assertThat(objects(new int[] {0, 1, 0}, 10, 4)).isEmpty();
  }

  @Test
  void violation_notAnOffsetForEveryRecord_isV1() {
    assertThat(offsets(PROBLEM, 14, 0, 10)).contains("V1 2 offsets for 3 records");
    assertThat(offsets(PROBLEM, 14, 0, 10, 0, 0)).contains("V1 4 offsets for 3 records");
  }

  @Test
  void violation_negativeOffset_isV1() {
    assertThat(offsets(PROBLEM, 14, 0, 10, -1))
        .contains(
            "V1 record 2 has offset -1, expected a non-negative multiple of its alignments 1 and 1");
  }

  @Test
  void violation_offsetThatViolatesEitherAlignment_isV1() {
    PlanProblem problem =
        PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 0).withAlignment(6))).withAlignment(4);
    assertThat(offsets(problem, 100, 24)).isEmpty();
    assertThat(offsets(problem, 100, 18))
        .contains(
            "V1 record 0 has offset 18, expected a non-negative multiple of its alignments 6 and 4");
    assertThat(offsets(problem, 100, 16))
        .contains(
            "V1 record 0 has offset 16, expected a non-negative multiple of its alignments 6 and 4");
  }

  @Test
  void violation_pinnedRecordElsewhere_isV2() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 0).pinnedAt(16)));
    assertThat(offsets(problem, 24, 16)).isEmpty();
    assertThat(offsets(problem, 24, 15)).contains("V2 record 0 is at 15 but pinned to 16");
  }

  @Test
  void violation_arenaTooSmallByOneByte_isV3() {
    assertThat(offsets(PROBLEM, 13, 0, 10, 0))
        .contains("V3 record 1 of 4 bytes at offset 10 ends beyond the arena of 13 bytes");
  }

  @Test
  void violation_emptyRecordBeyondTheArena_isV3() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(0, 0, 0)));
    assertThat(offsets(problem, 5, 5)).isEmpty();
    assertThat(offsets(problem, 5, 6))
        .contains("V3 record 0 of 0 bytes at offset 6 ends beyond the arena of 5 bytes");
  }

  @Test
  void violation_numbersAtTheEndsOfLong_doesNotOverflow() {
    assertThat(offsets(PROBLEM, 14, 0, 10, Long.MAX_VALUE))
        .contains(
            "V3 record 2 of 10 bytes at offset 9223372036854775807 ends beyond the arena of 14 bytes");
    assertThat(offsets(PROBLEM, 0, 1, 11, 1))
        .contains("V3 record 0 of 10 bytes at offset 1 ends beyond the arena of 0 bytes");
  }

  @Test
  void violation_oneByteOntoALiveNeighbour_isV4() {
    assertThat(offsets(PROBLEM, 14, 0, 9, 0)).contains("V4 records 0 and 1 share bytes at task 1");
    assertThat(offsets(PROBLEM, 14, 0, 10, 1)).contains("V4 records 1 and 2 share bytes at task 2");
  }

  /*
   *   bytes        task 0   1   2   3
   *   0 to  4           A   .   .   A      A needs bytes 4 to 6 only in its gap
   *   4 to  6           A   A   A   A
   *   6 to 10           A   B   .   A
   */
  @Test
  void violation_recordInAGap_mustNotOverlapTheWindow() {
    TensorUsageRecord gapped =
        TensorUsageRecord.of(10, 0, 3).withGaps(List.of(new Gap(1, 2, 4, 6)));
    PlanProblem inGap = PlanProblem.of(List.of(gapped, TensorUsageRecord.of(4, 1, 2)));
    assertThat(offsets(inGap, 10, 0, 6)).isEmpty();
    assertThat(offsets(inGap, 10, 0, 0)).isEmpty();
    assertThat(offsets(inGap, 10, 0, 5)).contains("V4 records 0 and 1 share bytes at task 1");
    PlanProblem beyondGap = PlanProblem.of(List.of(gapped, TensorUsageRecord.of(4, 2, 3)));
    assertThat(offsets(beyondGap, 10, 0, 6)).contains("V4 records 1 and 0 share bytes at task 3");
  }

  @Test
  void violation_gapUpToTheLargestTask_needsNoBytes() {
    TensorUsageRecord gapped =
        TensorUsageRecord.of(10, 5, Long.MAX_VALUE).withGaps(List.of(Gap.of(8, Long.MAX_VALUE)));
    PlanProblem problem =
        PlanProblem.of(
            List.of(gapped, TensorUsageRecord.of(10, 0, 4), TensorUsageRecord.of(10, 8, 1L << 40)));
    assertThat(offsets(problem, 10, 0, 0, 0)).isEmpty();
    assertThat(LowerBounds.of(problem).offsetsBytes()).isEqualTo(10);
    assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes()).isEqualTo(10);
  }

  @Test
  void violation_overlappingPinnedRecords_isEmpty() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(1, 0, 9),
                TensorUsageRecord.of(8, 3, 4).pinnedAt(2),
                TensorUsageRecord.of(8, 4, 5).pinnedAt(9)));
    assertThat(offsets(problem, 17, 0, 2, 9)).isEmpty();
    assertThat(AssignmentChecker.pinnedOverlap(problem).map(Violation::message))
        .contains("pinned records 1 and 2 overlap at task 4");
    assertThat(offsets(problem, 17, 2, 2, 9)).contains("V4 records 0 and 1 share bytes at task 3");
    assertThat(offsets(problem, 17, 16, 2, 9)).contains("V4 records 0 and 2 share bytes at task 4");
  }

  /*
   * Two pinned records start below the third record. The upper one ends before it, and the lower one
   * does not.
   *
   *   bytes  0         10        20
   *          |---- pinned 0 -----|
   *               |p 1|
   *                        |- 2 -|
   */
  @Test
  void violation_largePinnedRecordBelowASmallOne_isFound() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(20, 0, 0).pinnedAt(0),
                TensorUsageRecord.of(4, 0, 0).pinnedAt(5),
                TensorUsageRecord.of(6, 0, 0)));
    assertThat(offsets(problem, 20, 0, 5, 14)).contains("V4 records 0 and 2 share bytes at task 0");
  }

  @Test
  void pinnedOverlap_pinsThatTheGraphDoesNotPermitToShare_namesThem() {
    List<TensorUsageRecord> records =
        List.of(
            TensorUsageRecord.of(2, 2, 2),
            TensorUsageRecord.of(4, 2, 2).pinnedAt(2),
            TensorUsageRecord.of(0, 2, 2).pinnedAt(3),
            TensorUsageRecord.of(4, 0, 0).pinnedAt(0));
    PlanProblem apart =
        PlanProblem.of(records)
            .withReuseGraph(
                ReuseGraph.ofUsage(List.of(List.of(), List.of(), List.of(), List.<Integer>of())));
    assertThat(AssignmentChecker.pinnedOverlap(apart).map(Violation::message))
        .contains(
            "pinned records 1 and 3 share bytes, but the graph allows an order in which both are live");
    PlanProblem permitted =
        PlanProblem.of(records)
            .withReuseGraph(
                ReuseGraph.ofReallocation(List.of(List.of(), List.of(3), List.of(), List.of(1))));
    assertThat(AssignmentChecker.pinnedOverlap(permitted)).isEmpty();
  }

  @Test
  void pinnedOverlap_pinInTheGapOfAnotherWithAGraph_isFound() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(4, 0, 3).withGaps(List.of(Gap.of(1, 2))).pinnedAt(0),
                    TensorUsageRecord.of(4, 1, 2).pinnedAt(0)))
            .withReuseGraph(ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0))));
    assertThat(AssignmentChecker.pinnedOverlap(problem).map(Violation::message))
        .contains("pinned records 0 and 1 overlap at task 1");
  }

  @Test
  void pinnedOverlap_disjointPins_isEmpty() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(8, 0, 1).pinnedAt(0),
                TensorUsageRecord.of(8, 2, 3).pinnedAt(0),
                TensorUsageRecord.of(8, 0, 3).pinnedAt(8),
                TensorUsageRecord.of(0, 0, 3).pinnedAt(4)));
    assertThat(AssignmentChecker.pinnedOverlap(problem).map(Violation::message)).isEmpty();
  }

  @Test
  void violation_notAnObjectForEveryRecord_isV5() {
    assertThat(objects(new int[] {0, 1}, 10, 4)).contains("V5 2 objects for 3 records");
  }

  @Test
  void violation_objectTooSmallByOneByte_isV5() {
    assertThat(objects(new int[] {0, 1, 0}, 10, 3))
        .contains("V5 record 1 of 4 bytes is in object 1 of 3 bytes");
  }

  @Test
  void violation_twoLiveRecordsInOneObject_isV6() {
    assertThat(objects(new int[] {0, 0, 1}, 10, 10))
        .contains("V6 records 0 and 1 are both in object 0 at task 1");
    assertThat(objects(new int[] {0, 1, 1}, 10, 10))
        .contains("V6 records 1 and 2 are both in object 1 at task 2");
  }

  @Test
  void violation_recordWithGapsInASharedObject_isLiveThroughout() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(8, 0, 4).withGaps(List.of(Gap.of(1, 3))),
                TensorUsageRecord.of(8, 2, 2)));
    assertThat(
            AssignmentChecker.violation(
                problem, ObjectsAssignment.of(new int[] {0, 0}, new long[] {8})))
        .map(Violation::message)
        .contains("V6 records 0 and 1 are both in object 0 at task 2");
  }

  @Test
  void violation_textures_isV5OrV6() {
    List<TextureUsageRecord> records =
        List.of(
            new TextureUsageRecord(TextureExtent.of(4, 2), 0, 1),
            new TextureUsageRecord(TextureExtent.of(3, 2), 2, 3),
            new TextureUsageRecord(TextureExtent.of(1, 1), 3, 4));
    assertThat(textures(records, List.of(0, 0, 1), TextureExtent.of(4, 2), TextureExtent.of(1, 1)))
        .isEmpty();
    assertThat(textures(records, List.of(0, 0), TextureExtent.of(4, 2)))
        .contains("V5 2 textures for 3 records");
    assertThat(textures(records, List.of(0, 0, 1), TextureExtent.of(9, 1), TextureExtent.of(1, 1)))
        .contains("V5 record 0 of [4, 2] is in texture 0 of [9, 1]");
    assertThat(textures(records, List.of(0, 0, 0), TextureExtent.of(4, 2)))
        .contains("V6 records 1 and 2 are both in object 0 at task 3");
  }

  @Test
  void violation_textureNotDeepEnough_isV5() {
    List<TextureUsageRecord> records =
        List.of(new TextureUsageRecord(TextureExtent.of(2, 2, 3), 0, 0));
    assertThat(textures(records, List.of(0), TextureExtent.of(2, 2, 3))).isEmpty();
    assertThat(textures(records, List.of(0), TextureExtent.of(2, 2, 2)))
        .contains("V5 record 0 of [2, 2, 3] is in texture 0 of [2, 2, 2]");
    assertThat(textures(records, List.of(0), TextureExtent.of(9, 9)))
        .contains("V5 record 0 of [2, 2, 3] is in texture 0 of [9, 9]");
  }

  @Test
  void violation_kindRecordsAndTask_areThoseOfTheMessage() {
    PlanProblem problem =
        PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 4), TensorUsageRecord.of(8, 3, 5)));

    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(new long[] {4, 0}, 12)))
        .contains(
            new Violation(
                Violation.Kind.OVERLAP,
                List.of(0, 1),
                OptionalLong.of(3),
                "V4 records 0 and 1 share bytes at task 3"));
    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(new long[] {0, 8}, 15)))
        .contains(
            new Violation(
                Violation.Kind.BEYOND_ARENA,
                List.of(1),
                OptionalLong.empty(),
                "V3 record 1 of 8 bytes at offset 8 ends beyond the arena of 15 bytes"))
        .map(Violation::toString)
        .contains("V3 record 1 of 8 bytes at offset 8 ends beyond the arena of 15 bytes");
    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(new long[] {0}, 15)))
        .map(Violation::records)
        .contains(List.of());
  }

  private static Optional<String> offsets(PlanProblem problem, long totalBytes, long... offsets) {
    return AssignmentChecker.violation(problem, OffsetsAssignment.of(offsets, totalBytes))
        .map(Violation::message);
  }

  private static Optional<String> objects(int[] objectIds, long... objectBytes) {
    return AssignmentChecker.violation(PROBLEM, ObjectsAssignment.of(objectIds, objectBytes))
        .map(Violation::message);
  }

  private static Optional<String> textures(
      List<TextureUsageRecord> records, List<Integer> ids, TextureExtent... extents) {
    return TextureChecker.violation(records, new TextureObjectsAssignment(ids, List.of(extents)))
        .map(Violation::message);
  }
}
