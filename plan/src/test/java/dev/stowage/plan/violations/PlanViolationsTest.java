package dev.stowage.plan.violations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.GraphProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the violations of plans with a loop over every byte of every pair at every task. */
class PlanViolationsTest {

  static LongStream seeds() {
    return RandomRecords.seeds(2_000);
  }

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  private static PlanViolations of(PlanProblem problem, long... offsets) {
    return PlanViolations.of(
        problem, OffsetsAssignment.of(offsets, 0), OptionalLong.empty(), Integer.MAX_VALUE);
  }

  @Test
  void of_everyKind_isListedInOrder() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    record(8, 0, 3),
                    record(8, 2, 5).withAlignment(6),
                    record(0, 0, 9),
                    record(4, 4, 9)))
            .withAlignment(4);
    PlanViolations violations =
        PlanViolations.of(
            problem, OffsetsAssignment.of(new long[] {0, 4, 16, 8}, 0), OptionalLong.of(11), 10);
    assertThat(violations)
        .isEqualTo(
            new PlanViolations(
                1,
                3,
                2,
                0,
                List.of(
                    new PlanViolation.Misaligned(1, 4, 12),
                    new PlanViolation.BeyondCapacity(1, 12, 11),
                    new PlanViolation.BeyondCapacity(2, 16, 11),
                    new PlanViolation.BeyondCapacity(3, 12, 11),
                    new PlanViolation.Overlap(0, 1, 2, 3, 4, 8),
                    new PlanViolation.Overlap(1, 3, 4, 5, 8, 12))));
    assertThat(violations.count()).isEqualTo(6);
    assertThat(violations.isEmpty()).isFalse();
  }

  @Test
  void of_overlappingPinnedRecords_isAnOverlap() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(4, 0, 0).pinnedAt(0), record(4, 0, 0).pinnedAt(2)));
    assertThat(of(problem, 0, 2).listed())
        .containsExactly(new PlanViolation.Overlap(0, 1, 0, 0, 2, 4));
  }

  /** Records 0 and 1 are on parallel branches; 2 is computed from 0. */
  @Test
  void of_pairsThatTheGraphDoesNotPermit_areListedSeparately() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(8, 1, 2), record(8, 3, 4), record(4, 2, 5), record(0, 9, 9)))
            .withReuseGraph(
                ReuseGraph.ofUsage(List.of(List.of(2), List.of(), List.of(), List.of())));
    PlanViolations violations = of(problem, 0, 2, 9, 3);
    assertThat(violations)
        .isEqualTo(
            new PlanViolations(
                0,
                0,
                1,
                1,
                List.of(
                    new PlanViolation.Overlap(1, 2, 3, 4, 9, 10),
                    new PlanViolation.NotPermitted(0, 1, 2, 8))));
  }

  /** The graph permits the pair, but its lifetimes overlap in a gap. */
  @Test
  void of_recordInTheGapOfAnotherWithAGraph_isAnOverlap() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(4, 0, 3).withGaps(List.of(Gap.of(1, 2))), record(4, 1, 2)))
            .withReuseGraph(ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0))));
    assertThat(of(problem, 0, 0).listed())
        .containsExactly(new PlanViolation.Overlap(0, 1, 1, 2, 0, 4));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyOffsetsOfAGraph_areThePairsThatShareBytesWithoutPermission(long seed) {
    Random random = new Random(seed);
    PlanProblem problem =
        GraphProblems.of(random, 1 + random.nextInt(8), 1 + random.nextInt(2)).problem(9, false);
    int count = problem.records().size();
    long[] offsets = random.longs(count, 0, 30).toArray();
    List<PlanViolation> expected = new ArrayList<>();
    for (int a = 0; a < count; a++) {
      for (int b = a + 1; b < count; b++) {
        TensorUsageRecord first = problem.records().get(a);
        TensorUsageRecord second = problem.records().get(b);
        long start = Math.max(offsets[a], offsets[b]);
        long end = Math.min(offsets[a] + first.bytes(), offsets[b] + second.bytes());
        boolean isApart =
            first.lastTask() < second.firstTask() || second.lastTask() < first.firstTask();
        if (start < end
            && isApart
            && !problem.reuseGraph().orElseThrow().reallocationGraph().mayShare(a, b)) {
          expected.add(new PlanViolation.NotPermitted(a, b, start, end));
        }
      }
    }
    List<PlanViolation> found =
        of(problem, offsets).listed().stream()
            .filter(PlanViolation.NotPermitted.class::isInstance)
            .toList();
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void of_recordsThatOverlapAgainAfterAGap_isOnePair() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(8, 0, 9).withGaps(List.of(new Gap(3, 5, 0, 2), Gap.of(7, 7))),
                record(8, 2, 9).withGaps(List.of(new Gap(2, 4, 6, 8)))));
    PlanViolations violations = of(problem, 0, 1);
    assertThat(violations.overlapCount()).isEqualTo(1);
    // Both records need byte 7 at task 2. From task 3 on, record 0 needs only bytes 0 and 1.
    assertThat(violations.listed()).containsExactly(new PlanViolation.Overlap(0, 1, 2, 2, 7, 8));
  }

  @Test
  void of_manyOverlaps_endsTheCountAndListsAFew() {
    int count = 100_000;
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(record(8, 0, i));
    }
    PlanViolations violations =
        PlanViolations.of(
            PlanProblem.of(records),
            OffsetsAssignment.of(new long[count], 8),
            OptionalLong.empty(),
            3);
    assertThat(violations.overlapCount()).isEqualTo(PlanViolations.MAX_OVERLAPS);
    assertThat(violations.listed())
        .containsExactly(
            new PlanViolation.Overlap(0, 1, 0, 0, 0, 8),
            new PlanViolation.Overlap(1, 2, 0, 1, 0, 8),
            new PlanViolation.Overlap(0, 2, 0, 0, 0, 8));
  }

  @Test
  void of_invalidOffsets_throws() {
    PlanProblem problem = PlanProblem.of(List.of(record(2, 0, 0)));
    assertThatThrownBy(() -> of(problem))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an assignment must have one offset for each record: offsets=0, records=1");
    assertThatThrownBy(() -> of(problem, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "record 0 must start at 0 or above and end at 2^63 - 1 or below: offset=-1, bytes=2");
    assertThatThrownBy(() -> of(problem, Long.MAX_VALUE - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "record 0 must start at 0 or above and end at 2^63 - 1 or below: offset=9223372036854775806, bytes=2");
    assertThat(of(problem, Long.MAX_VALUE - 2).isEmpty()).isTrue();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyOffsets_agreesWithEveryByte(long seed) {
    Random random = new Random(seed);
    int largest = 1 + random.nextInt(9);
    PlanProblem problem = withoutPins(SmallProblems.withWindows(seed, 7, largest));
    int arena = 1 + random.nextInt(40);
    long[] offsets = random.longs(problem.records().size(), 0, arena).toArray();
    OptionalLong capacity =
        random.nextBoolean() ? OptionalLong.of(random.nextInt(arena)) : OptionalLong.empty();
    OffsetsAssignment plan = OffsetsAssignment.of(offsets, 0);
    List<PlanViolation> expected = expected(problem, offsets, capacity);
    PlanViolations all = PlanViolations.of(problem, plan, capacity, Integer.MAX_VALUE);
    assertThat(all.listed())
        .as("%s of %s", plan, problem)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(all.misalignedCount()).isEqualTo(count(expected, PlanViolation.Misaligned.class));
    assertThat(all.beyondCapacityCount())
        .isEqualTo(count(expected, PlanViolation.BeyondCapacity.class));
    assertThat(all.overlapCount()).isEqualTo(count(expected, PlanViolation.Overlap.class));
    int maxListed = random.nextInt(4);
    PlanViolations some = PlanViolations.of(problem, plan, capacity, maxListed);
    assertThat(some.count()).isEqualTo(all.count());
    assertThat(all.listed().stream().filter(some.listed()::contains).toList())
        .isEqualTo(some.listed());
    assertThat(count(some.listed(), PlanViolation.Overlap.class))
        .isEqualTo(Math.min(maxListed, all.overlapCount()));
  }

  private static long count(List<PlanViolation> violations, Class<? extends PlanViolation> kind) {
    return violations.stream().filter(kind::isInstance).count();
  }

  private static PlanProblem withoutPins(PlanProblem problem) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (TensorUsageRecord record : problem.records()) {
      records.add(
          record(record.bytes(), record.firstTask(), record.lastTask())
              .withAlignment(record.alignment())
              .withGaps(record.gaps()));
    }
    return new PlanProblem(records, problem.alignment(), Optional.empty());
  }

  private static List<PlanViolation> expected(
      PlanProblem problem, long[] offsets, OptionalLong capacity) {
    List<PlanViolation> expected = new ArrayList<>();
    List<TensorUsageRecord> records = problem.records();
    for (int i = 0; i < offsets.length; i++) {
      long alignment = ExhaustivePlans.alignment(problem, records.get(i));
      if (offsets[i] != ExhaustivePlans.roundUp(offsets[i], alignment)) {
        expected.add(new PlanViolation.Misaligned(i, offsets[i], alignment));
      }
      long end = offsets[i] + records.get(i).bytes();
      if (capacity.isPresent() && end > capacity.getAsLong()) {
        expected.add(new PlanViolation.BeyondCapacity(i, end, capacity.getAsLong()));
      }
      for (int j = 0; j < i; j++) {
        overlap(records, offsets, j, i).ifPresent(expected::add);
      }
    }
    return expected;
  }

  /** {@return the first overlap of two records, as long as both need the same bytes} */
  private static Optional<PlanViolation> overlap(
      List<TensorUsageRecord> records, long[] offsets, int a, int b) {
    long lastTask = ExhaustivePlans.lastTask(records);
    for (long task = 0; task <= lastTask; task++) {
      long[] common = common(records, offsets, a, b, task);
      if (common[0] < common[1]) {
        long last = task;
        while (isOneRange(records.get(a), last) && isOneRange(records.get(b), last)) {
          last++;
        }
        return Optional.of(new PlanViolation.Overlap(a, b, task, last, common[0], common[1]));
      }
    }
    return Optional.empty();
  }

  private static long[] common(
      List<TensorUsageRecord> records, long[] offsets, int a, int b, long task) {
    long[] needA = ExhaustivePlans.neededBytes(records.get(a), task);
    long[] needB = ExhaustivePlans.neededBytes(records.get(b), task);
    long start = Math.max(offsets[a] + needA[0], offsets[b] + needB[0]);
    return new long[] {start, Math.min(offsets[a] + needA[1], offsets[b] + needB[1])};
  }

  /** {@return true if a record needs the same bytes at a task and the next one} */
  private static boolean isOneRange(TensorUsageRecord record, long task) {
    return task < record.lastTask()
        && record.gaps().stream()
            .noneMatch(gap -> gap.lastTask() == task || gap.firstTask() == task + 1);
  }
}
