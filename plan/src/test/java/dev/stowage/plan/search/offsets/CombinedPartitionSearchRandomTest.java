package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.fit.ArrivalFit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An exhaustive and a local search of the same partition. */
class CombinedPartitionSearchRandomTest {

  private static final int ROUNDS = 12;

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void nextRound_anyRecords_keepsAValidPlanBetweenTheBounds(long seed) {
    PlanProblem problem = SmallProblems.of(seed, 20, 20);
    OffsetsAssignment start = ArrivalFit.plan(problem);
    long leastBytes = LowerBounds.of(problem).offsetsBytes();
    int[] movable =
        IntStream.range(0, problem.records().size())
            .filter(i -> PartitionSplit.needsBytes(problem.records().get(i)))
            .filter(i -> problem.records().get(i).pinnedOffset().isEmpty())
            .toArray();
    int[] pinned =
        IntStream.range(0, problem.records().size())
            .filter(i -> problem.records().get(i).pinnedOffset().isPresent())
            .toArray();
    int[] all = IntStream.range(0, problem.records().size()).toArray();
    CombinedPartitionSearch search =
        new CombinedPartitionSearch(
            new ExactPartitionSearch(problem, movable, pinned, leastBytes, start, () -> false),
            new LargePartitionSearch(all, problem, leastBytes, start));
    long before = search.upperBytes();
    for (int round = 0; round < ROUNDS && search.upperBytes() > search.lowerBytes(); round++) {
      PartitionSearch.Round next = search.nextRound(search.lowerBytes(), () -> false);
      next.turns().forEach(Runnable::run);
      next.end();
      long[] offsets = start.offsets();
      search.copyOffsets(offsets);
      OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, offsets);
      assertThat(AssignmentChecker.violation(problem, plan)).as("%s", problem).isEmpty();
      assertThat(search.upperBytes()).isBetween(leastBytes, before);
      before = search.upperBytes();
    }
  }
}
