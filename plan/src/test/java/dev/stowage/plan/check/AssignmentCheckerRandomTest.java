package dev.stowage.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the checker with a model of one bit for every byte at every task. */
class AssignmentCheckerRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(2_000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void violation_anyOffsets_agreesWithTheBitmap(long seed) {
    Random random = new Random(seed);
    int tasks = 1 + random.nextInt(8);
    int arena = 1 + random.nextInt(random.nextBoolean() ? 12 : 60);
    List<TensorUsageRecord> records = new ArrayList<>();
    int count = random.nextInt(8);
    for (int i = 0; i < count; i++) {
      records.add(record(random, tasks, 1 + random.nextInt(arena)));
    }
    PlanProblem problem = PlanProblem.of(records);
    long[] offsets = new long[records.size()];
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = records.get(i);
      offsets[i] =
          record.pinnedOffset().orElseGet(() -> random.nextLong(arena) / 2 * record.alignment());
    }
    OffsetsAssignment assignment = OffsetsAssignment.of(offsets, 4L * arena);
    Optional<Violation> violation = AssignmentChecker.violation(problem, assignment);
    assertThat(violation.isPresent())
        .as("%s of %s for %s", violation, assignment, problem)
        .isEqualTo(overlaps(records, offsets, tasks, false));
    violation.ifPresent(it -> assertThat(it.kind()).isEqualTo(Violation.Kind.OVERLAP));
    assertThat(AssignmentChecker.pinnedOverlap(problem).isPresent())
        .as("pins of %s", problem)
        .isEqualTo(overlaps(records, offsets, tasks, true));
  }

  private static TensorUsageRecord record(Random random, int tasks, int largest) {
    int first = random.nextInt(tasks);
    int last = first + random.nextInt(tasks - first);
    int bytes = random.nextInt(largest);
    List<Gap> gaps = new ArrayList<>();
    for (int task = first; task <= last; task++) {
      if (random.nextInt(3) == 0) {
        int gapEnd = task + random.nextInt(last - task + 1);
        int start = random.nextInt(bytes + 1);
        gaps.add(new Gap(task, gapEnd, start, start + random.nextInt(bytes - start + 1)));
        task = gapEnd;
      }
    }
    TensorUsageRecord record =
        TensorUsageRecord.of(bytes, first, last)
            .withAlignment(1 + random.nextInt(2))
            .withGaps(gaps);
    return random.nextInt(3) == 0
        ? record.pinnedAt(random.nextInt(largest) * record.alignment())
        : record;
  }

  /** {@return true if two records, both or not both pinned, need the same byte at one task} */
  private static boolean overlaps(
      List<TensorUsageRecord> records, long[] offsets, int tasks, boolean bothPinned) {
    for (int task = 0; task < tasks; task++) {
      for (int i = 0; i < offsets.length; i++) {
        for (int j = 0; j < i; j++) {
          boolean pinned =
              records.get(i).pinnedOffset().isPresent()
                  && records.get(j).pinnedOffset().isPresent();
          if (pinned == bothPinned
              && needed(records.get(i), offsets[i], task)
                  .intersects(needed(records.get(j), offsets[j], task))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static BitSet needed(TensorUsageRecord record, long offset, int task) {
    BitSet bytes = new BitSet();
    if (record.firstTask() <= task && task <= record.lastTask()) {
      long start = 0;
      long end = record.bytes();
      for (Gap gap : record.gaps()) {
        if (gap.firstTask() <= task && task <= gap.lastTask()) {
          start = gap.windowStart();
          end = gap.windowEnd();
        }
      }
      bytes.set((int) (offset + start), (int) (offset + end));
    }
    return bytes;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void violation_anyObjects_agreesWithEveryPair(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = regime.unsorted();
    PlanProblem problem = PlanProblem.of(records);
    int[] ids = MemoryStrategy.EQUALITY.planObjects(problem).objectIds();
    long[] bytes = MemoryStrategy.EQUALITY.planObjects(problem).objectBytes();
    if (ids.length > 0 && regime.random().nextBoolean()) {
      ids[regime.random().nextInt(ids.length)] = regime.random().nextInt(bytes.length);
    }
    boolean valid = true;
    for (int i = 0; i < ids.length; i++) {
      valid &= records.get(i).bytes() <= bytes[ids[i]];
      for (int j = 0; j < i; j++) {
        valid &= ids[i] != ids[j] || !NaivePlanners.conflict(records.get(i), records.get(j));
      }
    }
    assertThat(AssignmentChecker.violation(problem, ObjectsAssignment.of(ids, bytes)).isEmpty())
        .as("%s of %s", Arrays.toString(ids), records)
        .isEqualTo(valid);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void violation_validPlanMadeWrong_isFound(long seed) {
    List<TensorUsageRecord> records = new RandomRecords(seed).unsorted();
    PlanProblem problem = PlanProblem.of(records);
    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    if (plan.totalBytes() > 0) {
      assertThat(
              AssignmentChecker.violation(
                  problem, OffsetsAssignment.of(plan.offsets(), plan.totalBytes() - 1)))
          .hasValueSatisfying(it -> assertThat(it.kind()).isEqualTo(Violation.Kind.BEYOND_ARENA));
    }
    for (int i = 0; i < records.size(); i++) {
      for (int j = 0; j < records.size(); j++) {
        if (i != j && isLiveNeighbourAbove(problem, plan, i, j)) {
          long[] moved = plan.offsets();
          moved[j]--;
          assertThat(
                  AssignmentChecker.violation(
                      problem, OffsetsAssignment.of(moved, plan.totalBytes())))
              .as("record %d moved onto %d in %s of %s", j, i, plan, records)
              .hasValueSatisfying(it -> assertThat(it.kind()).isEqualTo(Violation.Kind.OVERLAP));
        }
      }
    }
  }

  private static boolean isLiveNeighbourAbove(
      PlanProblem problem, OffsetsAssignment plan, int below, int above) {
    TensorUsageRecord a = problem.records().get(below);
    TensorUsageRecord b = problem.records().get(above);
    return a.bytes() > 0
        && b.bytes() > 0
        && NaivePlanners.conflict(a, b)
        && plan.offset(below) + a.bytes() == plan.offset(above);
  }
}
