package dev.stowage.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.cases.ExhaustiveInPlacePlans;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.violations.PlanViolation;
import dev.stowage.plan.violations.PlanViolations;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks of plans of problems with records in place. */
class InPlaceCheckTest {

  static LongStream seeds() {
    return RandomRecords.seeds(3_000);
  }

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  /** {@return a problem in which record 1 may be in place of record 0, from task 2 on} */
  private static PlanProblem pair(TensorUsageRecord source, TensorUsageRecord record) {
    return PlanProblem.of(List.of(source, record)).withInPlace(List.of(new InPlace(1, 0)));
  }

  private static String violation(PlanProblem problem, long... offsets) {
    OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, offsets);
    return AssignmentChecker.violation(problem, plan).map(Violation::message).orElse("");
  }

  @Test
  void violation_aRecordInPlaceOfItsSource_isNone() {
    assertThat(violation(pair(record(8, 0, 2), record(8, 2, 5)), 4, 4)).isEmpty();
    assertThat(violation(pair(record(8, 0, 2), record(3, 2, 5)), 4, 4)).isEmpty();
    assertThat(violation(pair(record(8, 2, 2), record(8, 2, 2)), 4, 4)).isEmpty();
  }

  @Test
  void violation_aRecordBesideTheOffsetOfItsSource_namesTheRule() {
    assertThat(violation(pair(record(8, 0, 2), record(4, 2, 5)), 0, 4))
        .isEqualTo(
            "V4 records 0 and 1 share bytes at task 2; record 1 may be in place of record 0, but"
                + " only at its offset");
  }

  @Test
  void violation_aRecordOfMoreBytesThanItsSource_namesTheRule() {
    assertThat(violation(pair(record(8, 0, 2), record(9, 2, 5)), 0, 0))
        .isEqualTo(
            "V4 records 0 and 1 share bytes at task 2; record 1 may be in place of record 0, but it"
                + " has more bytes: 9 and 8");
  }

  @Test
  void violation_aGapAtTheCommonTask_namesTheRule() {
    TensorUsageRecord withGap = record(8, 0, 2).withGaps(List.of(new Gap(1, 2, 0, 4)));
    String message =
        "V4 records 0 and 1 share bytes at task 2; record 1 may be in place of record 0, but one of"
            + " them has a gap at this task";
    assertThat(violation(pair(withGap, record(8, 2, 5)), 0, 0)).isEqualTo(message);
  }

  @Test
  void violation_aProblemWithAGraph_namesTheRule() {
    PlanProblem problem =
        pair(record(8, 0, 2), record(8, 2, 5))
            .withReuseGraph(ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0))));
    assertThat(violation(problem, 0, 0))
        .isEqualTo(
            "V4 records 0 and 1 share bytes at task 2; record 1 may be in place of record 0, but a"
                + " problem with a graph ignores this");
  }

  /** Both records in place of the first share bytes with each other, which no pair permits. */
  @Test
  void violation_twoRecordsInPlaceOfOne_isAnOverlap() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(8, 0, 2), record(4, 2, 5), record(4, 2, 3)))
            .withInPlace(List.of(new InPlace(1, 0), new InPlace(2, 0)));
    assertThat(violation(problem, 0, 0, 0)).isEqualTo("V4 records 1 and 2 share bytes at task 2");
    assertThat(violation(problem, 0, 0, 8)).isEmpty();
  }

  /** A record that is live at one task cannot take over bytes and pass them on. */
  @Test
  void violation_aChainAtOneTask_isAnOverlap() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(8, 0, 2), record(8, 2, 2), record(8, 2, 5)))
            .withInPlace(List.of(new InPlace(1, 0), new InPlace(2, 1)));
    assertThat(violation(problem, 0, 0, 0)).isEqualTo("V4 records 0 and 2 share bytes at task 2");
    assertThat(violation(problem, 0, 0, 8)).isEmpty();
    assertThat(violation(problem, 0, 8, 8)).isEmpty();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void checks_anyOffsets_agreeWithEveryByte(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 8, 6);
    long[] offsets = offsets(problem, new Random(seed));
    OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, offsets);
    Set<List<Integer>> overlaps = new HashSet<>();
    boolean isInvalid = false;
    boolean pinsOverlap = false;
    for (int i = 0; i < offsets.length; i++) {
      for (int j = 0; j < i; j++) {
        if (ExhaustiveInPlacePlans.overlap(problem, offsets, j, i)) {
          overlaps.add(List.of(j, i));
          boolean bothPinned = isPinned(problem, i) && isPinned(problem, j);
          isInvalid |= !bothPinned;
          pinsOverlap |= bothPinned;
        }
      }
    }
    assertThat(AssignmentChecker.violation(problem, plan).isPresent())
        .as("%s of %s", plan, problem)
        .isEqualTo(isInvalid);
    assertThat(AssignmentChecker.pinnedOverlap(problem).isPresent())
        .as("pins of %s", problem)
        .isEqualTo(pinsOverlap);
    PlanViolations all = PlanViolations.of(problem, plan, OptionalLong.empty(), Integer.MAX_VALUE);
    assertThat(all.overlapCount()).as("%s of %s", plan, problem).isEqualTo(overlaps.size());
    assertThat(
            all.listed().stream()
                .map(PlanViolation.Overlap.class::cast)
                .map(overlap -> List.of(overlap.first(), overlap.second())))
        .as("%s of %s", plan, problem)
        .containsExactlyInAnyOrderElementsOf(overlaps);
  }

  private static boolean isPinned(PlanProblem problem, int record) {
    return problem.records().get(record).pinnedOffset().isPresent();
  }

  /** {@return aligned offsets; records are often at the offset of their source} */
  private static long[] offsets(PlanProblem problem, Random random) {
    long[] offsets = new long[problem.records().size()];
    int range = 1 + random.nextInt(20);
    for (int i = 0; i < offsets.length; i++) {
      long alignment = problem.alignmentOf(problem.records().get(i));
      long offset = random.nextInt(range) * alignment;
      offsets[i] = problem.records().get(i).pinnedOffset().orElse(offset);
    }
    for (int round = 0; round < 3; round++) {
      for (InPlace pair : problem.inPlace()) {
        long source = offsets[pair.source()];
        TensorUsageRecord record = problem.records().get(pair.record());
        if (random.nextInt(3) > 0
            && record.pinnedOffset().isEmpty()
            && source % problem.alignmentOf(record) == 0) {
          offsets[pair.record()] = source;
        }
      }
    }
    return offsets;
  }
}
