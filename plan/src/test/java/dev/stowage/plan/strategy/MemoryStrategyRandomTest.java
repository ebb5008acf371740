package dev.stowage.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.NaiveMinCostFlow;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.textures.TextureChecker;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TexturePlanner;
import dev.stowage.plan.textures.TextureUsageRecord;
import dev.stowage.plan.time.PositionalMaximums;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every strategy with its naive model, and checks every plan. */
class MemoryStrategyRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(500);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planObjects_sortedRecords_agreesWithTheModels(long seed) {
    List<TensorUsageRecord> records = new RandomRecords(seed).sorted();
    assertObjects(records, MemoryStrategy.EQUALITY, NaivePlanners.equality(records));
    assertObjects(records, MemoryStrategy.GREEDY_IN_ORDER, NaivePlanners.greedyInOrder(records));
    assertObjects(records, MemoryStrategy.MINCOSTFLOW, new NaiveMinCostFlow(records).objects());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planObjects_anyOrder_agreesWithTheModels(long seed) {
    List<TensorUsageRecord> records = new RandomRecords(seed).unsorted();
    NaivePlanners.Objects bySize = NaivePlanners.greedyBySize(records);
    NaivePlanners.Objects byBreadth = NaivePlanners.greedyByBreadth(records);
    assertObjects(records, MemoryStrategy.GREEDY_BY_SIZE, bySize);
    assertObjects(records, MemoryStrategy.GREEDY_BY_BREADTH, byBreadth);
    assertObjects(
        records,
        MemoryStrategy.GREEDY_BEST,
        byBreadth.total() < bySize.total() ? byBreadth : bySize);
  }

  private static void assertObjects(
      List<TensorUsageRecord> records, MemoryStrategy strategy, NaivePlanners.Objects expected) {
    assertThat(strategy.planObjects(PlanProblem.of(records)))
        .as("%s of %s", strategy, records)
        .isEqualTo(expected.toAssignment());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planOffsets_anyAlignment_agreesWithTheModel(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = regime.unsorted();
    for (long alignment : new long[] {1, 2, 3, 16, 100}) {
      PlanProblem problem = PlanProblem.of(records).withAlignment(alignment);
      assertThat(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).offsets())
          .as("alignment %d of %s", alignment, records)
          .isEqualTo(NaivePlanners.greedyBySizeOffsets(records, alignment));
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planOffsets_pinnedRecords_agreesWithTheModel(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = regime.unsorted();
    records.replaceAll(record ->
        regime.random().nextInt(4) == 0 ? record.pinnedAt(regime.random().nextInt(200)) : record);
    assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(PlanProblem.of(records)).offsets())
        .as("%s", records)
        .isEqualTo(NaivePlanners.tflmGreedy(records));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_unsortedAlignedRecordsWithGaps_isValidAndWithinBounds(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = regime.unsorted();
    records.replaceAll(record -> constrained(record, regime));
    PlanProblem problem = PlanProblem.of(records).withAlignment(1 + regime.random().nextInt(8));
    LowerBounds bounds = LowerBounds.of(problem);
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy.plansObjects()) {
        ObjectsAssignment objects = strategy.planObjects(problem);
        assertThat(AssignmentChecker.violation(problem, objects)).as("%s", strategy).isEmpty();
        assertThat(objects.totalBytes())
            .as("%s", strategy)
            .isBetween(bounds.objectsBytes(), problem.naiveBytes());
        assertThat(strategy.planObjects(problem)).isEqualTo(objects);
      }
      OffsetsAssignment offsets = strategy.planOffsets(problem);
      assertThat(AssignmentChecker.violation(problem, offsets)).as("%s", strategy).isEmpty();
      assertThat(offsets.totalBytes())
          .as("%s", strategy)
          .isGreaterThanOrEqualTo(bounds.offsetsBytes());
      assertThat(strategy.planOffsets(problem)).isEqualTo(offsets);
    }
  }

  private static TensorUsageRecord constrained(TensorUsageRecord record, RandomRecords regime) {
    long alignment = 1L << regime.random().nextInt(5);
    TensorUsageRecord aligned = record.withAlignment(alignment);
    long length = record.lastTask() - record.firstTask();
    if (length < 2 || regime.random().nextBoolean()) {
      return aligned.withHint(regime.random().nextInt(100));
    }
    long first = record.firstTask() + 1 + regime.random().nextLong(length - 1);
    long last = first + regime.random().nextLong(record.lastTask() - first);
    long start = regime.random().nextLong(record.bytes() + 1);
    long end = start + regime.random().nextLong(record.bytes() - start + 1);
    Gap gap =
        regime.random().nextBoolean() ? Gap.of(first, last) : new Gap(first, last, start, end);
    return aligned.withGaps(List.of(gap));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planObjects_usageGraph_agreesWithTheModel(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = regime.sorted();
    List<List<Integer>> dependents = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      long lastTask = record.lastTask();
      List<Integer> later = new ArrayList<>();
      for (int j = i + 1; j < records.size(); j++) {
        long start = records.get(j).firstTask();
        if (start > record.firstTask() && regime.random().nextInt(6) == 0) {
          later.add(j);
          lastTask = Math.max(lastTask, start);
        }
      }
      dependents.add(later);
      records.set(i, TensorUsageRecord.of(record.bytes(), record.firstTask(), lastTask));
    }
    ReuseGraph reallocation = ReuseGraph.ofUsage(dependents).reallocationGraph();
    List<List<Integer>> expected = naiveReallocation(dependents);
    for (int i = 0; i < records.size(); i++) {
      assertThat(reallocation.partners(i))
          .containsExactly(expected.get(i).stream().mapToInt(Integer::intValue).toArray());
    }
    PlanProblem problem = PlanProblem.of(records).withReuseGraph(ReuseGraph.ofUsage(dependents));
    assertThat(MemoryStrategy.GREEDY_IN_ORDER.planObjects(problem))
        .isEqualTo(NaivePlanners.greedyInOrder(records, expected).toAssignment());
  }

  private static List<List<Integer>> naiveReallocation(List<List<Integer>> dependents) {
    int n = dependents.size();
    boolean[][] reaches = new boolean[n][n];
    for (int i = n - 1; i >= 0; i--) {
      for (int j : dependents.get(i)) {
        reaches[i][j] = true;
        for (int k = 0; k < n; k++) {
          reaches[i][k] |= reaches[j][k];
        }
      }
    }
    List<List<Integer>> pairs = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      List<Integer> row = new ArrayList<>();
      for (int j = 0; j < n; j++) {
        if (usedUpBefore(i, j, dependents, reaches) || usedUpBefore(j, i, dependents, reaches)) {
          row.add(j);
        }
      }
      pairs.add(row);
    }
    return pairs;
  }

  private static boolean usedUpBefore(
      int i, int j, List<List<Integer>> dependents, boolean[][] reaches) {
    return !dependents.get(i).isEmpty()
        && dependents.get(i).stream().allMatch(child -> reaches[child][j]);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void lowerBounds_anyRecords_agreeWithTheModels(long seed) {
    List<TensorUsageRecord> records = new RandomRecords(seed).unsorted();
    LowerBounds bounds = LowerBounds.of(PlanProblem.of(records));
    long load =
        LongStream.rangeClosed(0, NaivePlanners.lastTask(records))
            .map(task -> NaivePlanners.breadth(records, task))
            .max()
            .orElse(0);
    assertThat(bounds.offsetsBytes()).isEqualTo(load);
    List<Long> maximums = NaivePlanners.positionalMaximums(records);
    assertThat(PositionalMaximums.of(PlanProblem.of(records)))
        .containsExactly(maximums.stream().mapToLong(Long::longValue).toArray());
    assertThat(bounds.objectsBytes()).isEqualTo(maximums.stream().mapToLong(Long::longValue).sum());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void planTextures_anyRecords_agreesWithTheModels(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    boolean deep = regime.random().nextBoolean();
    List<TextureUsageRecord> records = new ArrayList<>();
    for (TensorUsageRecord record : regime.sorted()) {
      TextureExtent extent =
          new TextureExtent(
              1 + regime.random().nextInt(4),
              1 + regime.random().nextInt(4),
              deep ? OptionalLong.of(1 + regime.random().nextInt(3)) : OptionalLong.empty());
      records.add(new TextureUsageRecord(extent, record.firstTask(), record.lastTask()));
    }
    assertThat(TexturePlanner.planTextures(MemoryStrategy.EQUALITY, records).objectIds())
        .isEqualTo(naiveTextures(records, true));
    assertThat(TexturePlanner.planTextures(MemoryStrategy.GREEDY_IN_ORDER, records).objectIds())
        .isEqualTo(naiveTextures(records, false));
    for (MemoryStrategy strategy :
        List.of(MemoryStrategy.NAIVE, MemoryStrategy.EQUALITY, MemoryStrategy.GREEDY_IN_ORDER)) {
      assertThat(TextureChecker.violation(records, TexturePlanner.planTextures(strategy, records)))
          .isEmpty();
    }
  }

  /** Tries all textures assigned so far: equal ones by id, larger ones by last task. */
  private static List<Integer> naiveTextures(List<TextureUsageRecord> records, boolean equal) {
    List<Integer> ids = new ArrayList<>();
    List<TextureExtent> extents = new ArrayList<>();
    List<Long> lastTasks = new ArrayList<>();
    for (TextureUsageRecord record : records) {
      List<Integer> free = new ArrayList<>();
      for (int o = 0; o < extents.size(); o++) {
        if (lastTasks.get(o) < record.firstTask()) {
          free.add(o);
        }
      }
      if (!equal) {
        free.sort(Comparator.comparingLong(o -> lastTasks.get(o)));
      }
      int best = -1;
      for (int o : free) {
        boolean fits =
            equal ? extents.get(o).equals(record.extent()) : extents.get(o).holds(record.extent());
        if (fits && (best < 0 || extents.get(o).volume() < extents.get(best).volume())) {
          best = o;
        }
      }
      if (best < 0) {
        best = extents.size();
        extents.add(record.extent());
        lastTasks.add(0L);
      }
      lastTasks.set(best, record.lastTask());
      ids.add(best);
    }
    return ids;
  }
}
