package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link PairSearch} for records with windows. */
class PairSearchRandomTest {

  private static final long BYTES = 1L << 40;

  static LongStream seeds() {
    return RandomRecords.seeds(640);
  }

  static LongStream fewSeeds() {
    return LongStream.range(0, 40);
  }

  private static PairSearch search(PlanProblem problem) {
    int[] movable = ExhaustivePlans.movable(problem);
    int[] pinned = ExhaustivePlans.pinned(problem);
    StepCounter steps = new StepCounter(() -> false);
    Partition partition =
        Partition.of(problem, movable, pinned, ExhaustivePlans.stacked(problem), steps);
    return new PairSearch(new PairConflicts(partition, problem, pinned, steps));
  }

  /** {@return the result of up to eight runs, each longer than the one before} */
  private static CapacitySearch.Outcome outcome(PairSearch search, long capacity) {
    CapacitySearch.Outcome outcome = CapacitySearch.Outcome.INCOMPLETE;
    for (int turn = 0; turn < 8 && outcome == CapacitySearch.Outcome.INCOMPLETE; turn++) {
      outcome = search.next(capacity, () -> false);
    }
    return outcome;
  }

  /** With mixed alignments, a search may end without a proof. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void next_fewRecordsWithWindows_agreesWithAllOffsets(long seed) {
    PlanProblem any = SmallProblems.withWindows(seed, 5, 6);
    PlanProblem problem =
        PlanProblem.of(any.records().stream().filter(ExhaustivePlans::isNeeded).toList())
            .withAlignment(any.alignment());
    int[] movable = ExhaustivePlans.movable(problem);
    long optimum = ExhaustivePlans.byOffsets(problem);
    PairSearch search = search(problem);
    for (long capacity = Math.max(0, optimum - 2); capacity <= optimum; capacity++) {
      CapacitySearch.Outcome outcome = outcome(search, capacity);
      if (capacity < optimum) {
        assertThat(outcome).as("%s", problem).isNotEqualTo(CapacitySearch.Outcome.FOUND);
      } else {
        assertThat(outcome).as("%s", problem).isNotEqualTo(CapacitySearch.Outcome.INFEASIBLE);
      }
      boolean isChain = RoundLimits.of(alignments(problem, movable)).areProved();
      if (isChain) {
        assertThat(outcome).as("%s", problem).isNotEqualTo(CapacitySearch.Outcome.INCOMPLETE);
      }
      if (outcome == CapacitySearch.Outcome.FOUND) {
        assertFits(problem, movable, search.offsets(), capacity);
      }
    }
  }

  private static long[] alignments(PlanProblem problem, int[] movable) {
    return Arrays.stream(movable)
        .mapToLong(i -> problem.alignmentOf(problem.records().get(i)))
        .toArray();
  }

  private static void assertFits(PlanProblem problem, int[] movable, long[] found, long capacity) {
    long[] offsets = ExhaustivePlans.stacked(problem);
    for (int k = 0; k < movable.length; k++) {
      offsets[movable[k]] = found[k];
    }
    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(offsets, capacity)))
        .as("capacity %d of %s", capacity, problem)
        .isEmpty();
  }

  /** Eight records that need about a quarter of their bytes at each task. */
  private static PlanProblem cycles(long seed, long bytes) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      List<Gap> gaps = new ArrayList<>();
      for (int task = 0; task < 4; task++) {
        long start = random.nextInt(4) * (bytes / 4) + random.nextInt(3);
        gaps.add(new Gap(task, task, start, start + bytes / 4 - random.nextInt(3)));
      }
      records.add(TensorUsageRecord.of(bytes + 2, 0, 3).withGaps(gaps));
    }
    return PlanProblem.of(records);
  }

  /**
   * On a cycle that gains one byte in each round, a search without round limits lifts 2^40 times.
   * The timeout only protects the build from such a search.
   */
  @Timeout(600)
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("fewSeeds")
  void next_cycleThatGainsAByte_endsAfterOneRound(long seed) {
    PlanProblem problem = cycles(seed, BYTES);
    int[] calls = {0};
    PairSearch search = search(problem);
    CapacitySearch.Outcome outcome =
        search.next(
            BYTES / 10 * 21,
            () -> {
              calls[0]++;
              return false;
            });
    assertThat(search.nodes()).isLessThanOrEqualTo(2_000);
    assertThat(calls[0]).isLessThan(200);
    if (outcome == CapacitySearch.Outcome.FOUND) {
      assertFits(problem, ExhaustivePlans.movable(problem), search.offsets(), BYTES / 10 * 21);
    }
  }
}
