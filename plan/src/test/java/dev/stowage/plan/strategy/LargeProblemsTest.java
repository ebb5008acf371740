package dev.stowage.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Problems that are large enough for every structure to grow. */
@Tag("full")
class LargeProblemsTest {

  /** Layers of two tensors each, most of them short-lived, with some skip connections. */
  private static final PlanProblem NETWORK = network();

  static LongStream seeds() {
    return RandomRecords.seeds(3);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planOffsets_thousandsOfLongLifetimes_agreesWithTheModels(long seed) {
    List<TensorUsageRecord> records = longLived(new Random(seed), 3_000);
    PlanProblem problem = PlanProblem.of(records);
    for (long alignment : new long[] {1, 24}) {
      assertThat(
              MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem.withAlignment(alignment)).offsets())
          .isEqualTo(NaivePlanners.greedyBySizeOffsets(records, alignment));
    }
    assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).offsets())
        .isEqualTo(NaivePlanners.tflmGreedy(records));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planObjects_manyLongLifetimes_agreesWithTheModels(long seed) {
    List<TensorUsageRecord> records = longLived(new Random(seed), 400);
    PlanProblem problem = PlanProblem.of(records);
    assertThat(MemoryStrategy.GREEDY_BY_BREADTH.planObjects(problem))
        .isEqualTo(NaivePlanners.greedyByBreadth(records).toAssignment());
    assertThat(MemoryStrategy.GREEDY_BY_SIZE.planObjects(problem))
        .isEqualTo(NaivePlanners.greedyBySize(records).toAssignment());
  }

  private static List<TensorUsageRecord> longLived(Random random, int count) {
    List<TensorUsageRecord> records = new ArrayList<>();
    int tasks = 2 * count;
    for (int i = 0; i < count; i++) {
      long first = random.nextInt(tasks);
      long length = 1L << random.nextInt(11);
      records.add(
          TensorUsageRecord.of(
              random.nextLong(20) * (random.nextBoolean() ? 64 : 1000),
              first,
              Math.min(tasks - 1, first + random.nextLong(length))));
    }
    return records;
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "NAIVE",
        "EQUALITY",
        "GREEDY_IN_ORDER",
        "GREEDY_BY_BREADTH",
        "GREEDY_BY_SIZE",
        "TFLM_GREEDY"
      })
  void plan_networkOfManyLayers_isValidAndWithinBounds(MemoryStrategy strategy) {
    LowerBounds bounds = LowerBounds.of(NETWORK);
    OffsetsAssignment offsets = strategy.planOffsets(NETWORK);
    assertThat(AssignmentChecker.violation(NETWORK, offsets)).isEmpty();
    assertThat(offsets.totalBytes()).isBetween(bounds.offsetsBytes(), NETWORK.naiveBytes());
    if (strategy.derivesOffsets()) {
      ObjectsAssignment objects = strategy.planObjects(NETWORK);
      assertThat(AssignmentChecker.violation(NETWORK, objects)).isEmpty();
      assertThat(objects.totalBytes())
          .isEqualTo(offsets.totalBytes())
          .isGreaterThanOrEqualTo(bounds.objectsBytes());
    }
  }

  private static PlanProblem network() {
    Random random = new Random(7);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      long layer = i / 2;
      long length = random.nextInt(50) == 0 ? random.nextInt(400) : 1 + random.nextInt(3);
      records.add(TensorUsageRecord.of(256L * (1 + random.nextInt(64)), layer, layer + length));
    }
    return PlanProblem.of(records);
  }
}
