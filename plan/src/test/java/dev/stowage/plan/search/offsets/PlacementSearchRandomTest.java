package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.CutProblems;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The searches that {@code OffsetsSearch} uses, compared with exhaustive enumeration.
 *
 * <p>{@code OffsetsSearch} starts them only if no quick plan is optimal; these tests always do.
 */
class PlacementSearchRandomTest {

  static LongStream manySeeds() {
    return RandomRecords.seeds(1024);
  }

  static LongStream seeds() {
    return RandomRecords.seeds(640);
  }

  private static PlanProblem problem(long seed) {
    return ExhaustivePlans.ofNeededRecords(
        SmallProblems.of(seed, seed % 4 == 0 ? 7 : 6, seed % 3 == 0 ? 40 : 9));
  }

  /** {@return a problem without the records that need no byte: these are in no partition} */
  private static PlanProblem withoutUnneeded(PlanProblem problem) {
    return PlanProblem.of(problem.records().stream().filter(ExhaustivePlans::isNeeded).toList())
        .withAlignment(problem.alignment());
  }

  private static ExactPartitionSearch search(PlanProblem problem, OffsetsAssignment from) {
    return new ExactPartitionSearch(
        problem,
        ExhaustivePlans.movable(problem),
        ExhaustivePlans.pinned(problem),
        LowerBounds.of(problem).offsetsBytes(),
        from,
        () -> false);
  }

  private static Partition partition(PlanProblem problem) {
    return Partition.of(
        problem,
        ExhaustivePlans.movable(problem),
        ExhaustivePlans.pinned(problem),
        ExhaustivePlans.stacked(problem),
        new StepCounter(() -> false));
  }

  private static void assertFits(
      PlanProblem problem, Partition partition, long[] ofPart, long capacity) {
    long[] offsets = ExhaustivePlans.stacked(problem);
    for (int record = 0; record < partition.recordCount(); record++) {
      offsets[partition.records[record]] = ofPart[record];
    }
    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(offsets, capacity)))
        .as("capacity %d of %s", capacity, problem)
        .isEmpty();
  }

  private static int[] anyOrder(int count, Random random) {
    int[] order = IntStream.range(0, count).toArray();
    for (int k = count - 1; k > 0; k--) {
      int other = random.nextInt(k + 1);
      int record = order[k];
      order[k] = order[other];
      order[other] = record;
    }
    return order;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void search_anyCapacityAndOrder_findsOffsetsIfTheyExist(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    long pinnedEnd = ExhaustivePlans.lastPinnedEnd(problem);
    long optimum = ExhaustivePlans.byOrders(problem);
    Random random = new Random(seed);
    PlacementSearch search = new PlacementSearch(partition, new SectionWeights(partition));
    for (long capacity = Math.max(pinnedEnd, optimum - 6); capacity < optimum + 3; capacity++) {
      int[] order = anyOrder(partition.recordCount(), random);
      CapacitySearch.Outcome outcome = search.search(capacity, order, Long.MAX_VALUE, () -> false);
      assertThat(outcome)
          .as("capacity %d, order %s of %s", capacity, Arrays.toString(order), problem)
          .isEqualTo(
              capacity >= optimum
                  ? CapacitySearch.Outcome.FOUND
                  : CapacitySearch.Outcome.INFEASIBLE);
      if (outcome == CapacitySearch.Outcome.FOUND) {
        assertFits(problem, partition, search.offsets(), capacity);
      }
    }
  }

  /** A search uses the failed states of earlier runs, which had other orders or reached limits. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void search_oneCapacityAgain_findsOffsetsIfTheyExist(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    long pinnedEnd = ExhaustivePlans.lastPinnedEnd(problem);
    long optimum = ExhaustivePlans.byOrders(problem);
    Random random = new Random(seed);
    PlacementSearch search = new PlacementSearch(partition, new SectionWeights(partition));
    for (int run = 0; run < 20; run++) {
      long capacity = Math.max(pinnedEnd, optimum - random.nextInt(3));
      int[] order = anyOrder(partition.recordCount(), random);
      boolean isLimited = random.nextBoolean();
      long nodeLimit = isLimited ? 1 + random.nextInt(12) : Long.MAX_VALUE;
      CapacitySearch.Outcome outcome = search.search(capacity, order, nodeLimit, () -> false);
      if (!isLimited || outcome != CapacitySearch.Outcome.INCOMPLETE) {
        assertThat(outcome)
            .as("run %d, capacity %d of %s", run, capacity, problem)
            .isEqualTo(
                capacity >= optimum
                    ? CapacitySearch.Outcome.FOUND
                    : CapacitySearch.Outcome.INFEASIBLE);
      }
      if (outcome == CapacitySearch.Outcome.FOUND) {
        assertFits(problem, partition, search.offsets(), capacity);
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void search_fewNodes_stopsAtTheLimitOrFinishes(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    long optimum = ExhaustivePlans.byOrders(problem);
    PlacementSearch search = new PlacementSearch(partition, new SectionWeights(partition));
    int[] order = anyOrder(partition.recordCount(), new Random(seed));
    boolean wasFinished = false;
    for (long limit = 0; limit < 30; limit++) {
      CapacitySearch.Outcome outcome = search.search(optimum, order, limit, () -> false);
      assertThat(search.nodes()).isLessThanOrEqualTo(limit);
      if (outcome == CapacitySearch.Outcome.FOUND) {
        assertFits(problem, partition, search.offsets(), optimum);
        wasFinished = true;
      } else {
        assertThat(outcome).isEqualTo(CapacitySearch.Outcome.INCOMPLETE);
        assertThat(search.nodes()).isEqualTo(limit);
        assertThat(wasFinished).as("done with fewer nodes: %s", problem).isFalse();
      }
    }
    if (partition.recordCount() > 0) {
      assertThat(search.search(optimum, order, Long.MAX_VALUE, () -> true))
          .isEqualTo(CapacitySearch.Outcome.INCOMPLETE);
      assertThat(search.nodes()).isZero();
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void next_eachPriority_finishesWithTheOptimum(long seed) {
    PlanProblem problem = problem(seed);
    Partition partition = partition(problem);
    if (partition.recordCount() == 0) {
      return;
    }
    long pinnedEnd = ExhaustivePlans.lastPinnedEnd(problem);
    long optimum = ExhaustivePlans.byOrders(problem);
    for (RecordPriority priority : RecordPriority.values()) {
      RestartedSearch search = new RestartedSearch(partition, priority);
      // A stopped run does not change the result of later ones.
      search.next(optimum, () -> true);
      CapacitySearch.Outcome found = search.next(optimum, () -> false);
      assertThat(found).as("%s", problem).isEqualTo(CapacitySearch.Outcome.FOUND);
      assertFits(problem, partition, search.offsets(), optimum);
      long nodes = search.nodes();
      if (optimum > pinnedEnd) {
        CapacitySearch.Outcome below = search.next(optimum - 1, () -> false);
        assertThat(below).as("%s", problem).isEqualTo(CapacitySearch.Outcome.INFEASIBLE);
      }
      assertThat(search.nodes()).isGreaterThanOrEqualTo(nodes);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void nextRound_fromAStackedPlan_reachesTheOptimum(long seed) {
    PlanProblem problem = withoutUnneeded(problem(seed));
    Partition partition = partition(problem);
    if (partition.recordCount() == 0) {
      return;
    }
    long optimum = ExhaustivePlans.byOrders(problem);
    long[] offsets = ExhaustivePlans.stacked(problem);
    OffsetsAssignment stackedPlan = OffsetsAssignment.inSmallestArena(problem, offsets);
    ExactPartitionSearch search = search(problem, stackedPlan);
    long lower = search.lowerBytes();
    long upper = search.upperBytes();
    while (search.lowerBytes() < search.upperBytes()) {
      PartitionSearch.Round round = search.nextRound(search.lowerBytes(), () -> false);
      round.turns().forEach(Runnable::run);
      round.end();
      assertThat(search.lowerBytes()).as("%s", problem).isBetween(lower, optimum);
      assertThat(search.upperBytes()).as("%s", problem).isBetween(optimum, upper);
      lower = search.lowerBytes();
      upper = search.upperBytes();
    }
    assertThat(search.lowerBytes()).as("%s", problem).isEqualTo(optimum);
    search.copyOffsets(offsets);
    assertThat(AssignmentChecker.violation(problem, OffsetsAssignment.of(offsets, optimum)))
        .as("%s", problem)
        .isEmpty();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void nextRound_goalOfOtherPartitions_keepsTheBoundsValid(long seed) {
    PlanProblem problem = withoutUnneeded(problem(seed));
    Partition partition = partition(problem);
    if (partition.recordCount() == 0) {
      return;
    }
    long optimum = ExhaustivePlans.byOrders(problem);
    long pinnedEnd = ExhaustivePlans.lastPinnedEnd(problem);
    OffsetsAssignment stackedPlan =
        OffsetsAssignment.inSmallestArena(problem, ExhaustivePlans.stacked(problem));
    long goal = pinnedEnd;
    while (goal < stackedPlan.totalBytes()) {
      ExactPartitionSearch search = search(problem, stackedPlan);
      PartitionSearch.Round round = search.nextRound(goal, () -> false);
      round.turns().forEach(Runnable::run);
      round.end();
      assertThat(search.lowerBytes())
          .as("goal %d of %s", goal, problem)
          .isLessThanOrEqualTo(optimum);
      assertThat(search.upperBytes())
          .as("goal %d of %s", goal, problem)
          .isGreaterThanOrEqualTo(optimum);
      if (goal >= optimum) {
        assertThat(search.upperBytes())
            .as("goal %d of %s", goal, problem)
            .isLessThanOrEqualTo(goal);
      } else {
        assertThat(search.lowerBytes()).as("goal %d of %s", goal, problem).isGreaterThan(goal);
      }
      goal++;
    }
  }

  /**
   * Without the bound of sections, the search is still correct but takes twenty times as many
   * nodes. The limit is six times the current number.
   */
  @Test
  void next_cutProblems_takeFewNodes() {
    long nodes = 0;
    for (long seed = 0; seed < 30; seed++) {
      PlanProblem problem = CutProblems.of(new Random(seed), 30);
      RestartedSearch search = new RestartedSearch(partition(problem), RecordPriority.PEAK_AREA);
      CapacitySearch.Outcome outcome = CapacitySearch.Outcome.INCOMPLETE;
      for (int turn = 0; turn < 10 && outcome == CapacitySearch.Outcome.INCOMPLETE; turn++) {
        outcome = search.next(CutProblems.BYTES, () -> false);
      }
      assertThat(outcome).as("seed %d", seed).isEqualTo(CapacitySearch.Outcome.FOUND);
      nodes += search.nodes();
    }
    assertThat(nodes).isLessThan(30_000);
  }
}
