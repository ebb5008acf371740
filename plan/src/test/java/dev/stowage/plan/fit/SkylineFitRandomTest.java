package dev.stowage.plan.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.RecordFamilies;
import dev.stowage.plan.cases.RecordFamilies.Lifetimes;
import dev.stowage.plan.cases.RecordFamilies.Sizes;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.time.RankLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Skylines, the structures that they use, and the plans. */
class SkylineFitRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(400);
  }

  private static OffsetsAssignment plan(PlanProblem problem) {
    return SkylineFit.plan(problem, new StepCounter(() -> false));
  }

  private static PlanProblem withoutPins(PlanProblem problem) {
    List<TensorUsageRecord> records =
        problem.records().stream().filter(record -> record.pinnedOffset().isEmpty()).toList();
    return PlanProblem.of(records).withAlignment(problem.alignment());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_anyProblemWithoutPins_isValid(long seed) {
    for (int part = 0; part < 10; part++) {
      long each = 10 * seed + part;
      PlanProblem problem =
          withoutPins(
              part % 2 == 0
                  ? SmallProblems.withWindows(each, 30, 60)
                  : SmallProblems.of(each, 30, 60));
      OffsetsAssignment plan = plan(problem);
      assertThat(AssignmentChecker.violation(problem, plan)).as("%s", problem).isEmpty();
      assertThat(plan(problem)).isEqualTo(plan);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_hugeBytes_isValid(long seed) {
    PlanProblem problem = withoutPins(SmallProblems.hugeWithHints(seed, 12));
    assertThat(AssignmentChecker.violation(problem, plan(problem))).as("%s", problem).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Lifetimes.class)
  void plan_thousandsOfRecords_isValidAndNearTheLoad(Lifetimes lifetimes) {
    for (Sizes sizes : Sizes.values()) {
      PlanProblem problem = RecordFamilies.problem(lifetimes, sizes, 4_000, 1);
      OffsetsAssignment plan = plan(problem);
      assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
      assertThat(plan.totalBytes()).isLessThan(LowerBounds.of(problem).offsetsBytes() * 115 / 100);
    }
  }

  @Test
  void plan_stopped_isCancelled() {
    PlanProblem problem = RecordFamilies.problem(Lifetimes.RANDOM, Sizes.SKEWED, 4_000, 1);
    for (int stopAt : new int[] {1, 2, 10}) {
      int[] left = {stopAt};
      StepCounter steps = new StepCounter(() -> --left[0] <= 0);
      assertThatThrownBy(() -> SkylineFit.plan(problem, steps))
          .isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void plan_pinnedRecord_isRejected() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(4, 0, 1).pinnedAt(0)));
    assertThatThrownBy(() -> plan(problem))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a skyline has no room for pinned records: record 0 is pinned");
  }

  /*
   *   6 |    +-----+        B contains the tightest task, 1, as A does, and is shorter. C fits into
   *   4 | +--+  B  |        the valley above A.
   *   2 | |C +-----+
   *   0 | +   A    |
   *       0  1  2
   */
  @Test
  void plan_valley_holdsTheRecordThatFits() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(2, 0, 2),
                TensorUsageRecord.of(4, 1, 2),
                TensorUsageRecord.of(2, 0, 0)));
    assertThat(plan(problem)).isEqualTo(OffsetsAssignment.of(new long[] {0, 2, 2}, 6));
  }

  /** The model has one height for each rank. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void skyline_anyRecords_agreesWithHeightsOfRanks(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(40);
    Skyline skyline = new Skyline(ranks);
    long[] heights = new long[ranks];
    for (int step = 0; step < 200; step++) {
      int valley = skyline.nextValley();
      skyline.checkInvariants(ranks, valley);
      int first = skyline.first(valley);
      int last = skyline.last(valley);
      long height = skyline.height(valley);
      long before = first == 0 ? Long.MAX_VALUE : heights[first - 1];
      long after = last == ranks - 1 ? Long.MAX_VALUE : heights[last + 1];
      assertThat(Arrays.stream(heights, first, last + 1)).allMatch(each -> each == height);
      assertThat(skyline.heightBefore(valley)).isEqualTo(before).isGreaterThan(height);
      assertThat(skyline.heightAfter(valley)).isEqualTo(after).isGreaterThan(height);
      boolean isLast = first == 0 && last == ranks - 1;
      if (isLast || random.nextInt(3) > 0) {
        int from = first + random.nextInt(last - first + 1);
        int to = from + random.nextInt(last - from + 1);
        long top = height + 1 + random.nextInt(5);
        skyline.add(valley, from, to, top);
        Arrays.fill(heights, from, to + 1, top);
      } else {
        skyline.raise(valley);
        Arrays.fill(heights, first, last + 1, Math.min(before, after));
      }
      skyline.checkInvariants(ranks);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void unplacedLoad_anyRecords_agreesWithASumForEachRank(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(random.nextBoolean() ? 30 : 2_000);
    long[] model = random.longs(ranks, 1_000, 2_000).toArray();
    RankLoad load = new RankLoad(model.clone());
    for (int step = 0; step < 50; step++) {
      int first = random.nextInt(ranks);
      int last = first + random.nextInt(ranks - first);
      long bytes = random.nextInt(20);
      load.add(first, last, -bytes);
      load.checkInvariants();
      for (int rank = first; rank <= last; rank++) {
        model[rank] -= bytes;
      }
      int from = random.nextInt(ranks);
      int to = from + random.nextInt(ranks - from);
      long most = Arrays.stream(model, from, to + 1).max().orElseThrow();
      int heaviest = load.heaviest(from, to);
      assertThat(heaviest).isBetween(from, to);
      assertThat(model[heaviest]).isEqualTo(most);
      assertThat(load.heaviestBytes()).isEqualTo(most);
      assertThat(load.maximum()).isEqualTo(Math.max(0, Arrays.stream(model).max().orElseThrow()));
    }
  }

  /** A lifetime that is found is at most 1/64 shorter than the longest one. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void unplacedRecords_anyRecords_agreeWithAList(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(60);
    int count = 1 + random.nextInt(200);
    int[] first = random.ints(count, 0, ranks).toArray();
    int[] last = Arrays.stream(first).map(rank -> rank + random.nextInt(ranks - rank)).toArray();
    List<Integer> model = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    UnplacedRecords records =
        new UnplacedRecords(IntStream.range(0, count).toArray(), first, last, ranks);
    while (!model.isEmpty()) {
      int low = random.nextInt(ranks);
      int high = low + random.nextInt(ranks - low);
      int rank = low + random.nextInt(high - low + 1);
      int most = 1 + random.nextInt(4);
      int[] within =
          model.stream().mapToInt(i -> i).filter(i -> first[i] >= low && last[i] <= high).toArray();
      int[] at = Arrays.stream(within).filter(i -> first[i] <= rank && last[i] >= rank).toArray();
      assertFound(records, records.findWithin(low, high), within, 1, first, last);
      assertFound(records, records.findAt(rank, low, high, most), at, most, first, last);
      int removed = model.get(random.nextInt(model.size()));
      model.remove(Integer.valueOf(removed));
      records.remove(removed);
      records.checkInvariants();
    }
    assertThat(records.findWithin(0, ranks - 1)).isZero();
  }

  private static void assertFound(
      UnplacedRecords records, int count, int[] expected, int most, int[] first, int[] last) {
    assertThat(count).isEqualTo(Math.min(most, expected.length));
    int[] lengths =
        Arrays.stream(expected).map(i -> -(last[i] - first[i] + 1)).sorted().map(i -> -i).toArray();
    for (int k = 0; k < count; k++) {
      int found = records.found(k);
      int length = last[found] - first[found] + 1;
      assertThat(expected).contains(found);
      assertThat(length).isBetween(lengths[k] - lengths[k] / 64, lengths[k]);
    }
  }
}
