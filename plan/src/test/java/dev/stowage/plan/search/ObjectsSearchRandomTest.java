package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.objects.ObjectEjection;
import dev.stowage.plan.search.objects.ObjectRecords;
import dev.stowage.plan.search.objects.ObjectSweep;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.time.PositionalMaximums;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The search, compared with all partitions of few records, and with the strategies. */
class ObjectsSearchRandomTest {

  private static final long NODE_LIMIT = 20_000;

  static LongStream seeds() {
    return RandomRecords.seeds(5_000);
  }

  static LongStream fewerSeeds() {
    return RandomRecords.seeds(300);
  }

  /** {@return the result of a search whose clock stands still} */
  private static SearchResult<ObjectsAssignment> search(PlanProblem problem, long nodeLimit) {
    SearchOptions options = SearchOptions.defaults().withNodeLimit(nodeLimit);
    return ObjectsSearch.of(problem, options, () -> 0).run();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void search_fewRecords_isTheBestOfAllPartitions(long seed) {
    List<TensorUsageRecord> records = fewRecords(new Random(seed));
    PlanProblem problem = PlanProblem.of(records);
    SearchResult<ObjectsAssignment> result = search(problem, Long.MAX_VALUE);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.isOptimal()).isTrue();
    assertThat(result.assignment().totalBytes())
        .as("%s", records)
        .isEqualTo(leastBytes(records, new ArrayList<>(), 0));
  }

  /** Lower bounds from sweeps, and plans from ejections alone. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void sweepAndEjection_fewRecords_boundTheBestPlan(long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> all = fewRecords(random);
    long least = leastBytes(all, new ArrayList<>(), 0);
    PlanProblem problem = PlanProblem.of(all);
    ObjectRecords records = ObjectRecords.of(problem);
    long[] maximums = maximums(problem);
    long maximumsBytes = Arrays.stream(maximums).sum();
    ObjectSweep sweep = ObjectSweep.of(records, maximums, 1_000).orElseThrow();
    // Every plan grows less than this limit, so the bound is that of the search.
    ObjectSweep.Outcome outcome =
        sweep.search(problem.naiveBytes() + 1, random.nextInt(30), () -> false);
    assertThat(maximumsBytes + outcome.boundBytes()).as("%s", all).isBetween(maximumsBytes, least);

    ObjectEjection ejection =
        new ObjectEjection(records, maximums, IntStream.range(0, records.count()).toArray(), seed);
    for (int round = 0; round < 30 && records.count() > 0; round++) {
      long before = ejection.bestBytes();
      ejection.tryRound(20, () -> false);
      assertThat(ejection.bestBytes()).isBetween(least, before);
    }
    assertThat(bytes(records, ejection.bestObjectIds())).isEqualTo(ejection.bestBytes());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("fewerSeeds")
  void search_anyRecords_isValidAndNoWorseThanAnyStrategy(long seed) {
    List<TensorUsageRecord> records = new RandomRecords(seed).unsorted();
    PlanProblem problem = PlanProblem.of(records);
    SearchResult<ObjectsAssignment> result = search(problem, NODE_LIMIT);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.lowerBoundBytes())
        .isBetween(LowerBounds.of(problem).objectsBytes(), result.assignment().totalBytes());
    long previous = Long.MAX_VALUE;
    for (long nodeLimit : new long[] {0, 100, NODE_LIMIT}) {
      SearchResult<ObjectsAssignment> limited = search(problem, nodeLimit);
      assertThat(search(problem, nodeLimit)).isEqualTo(limited);
      assertThat(limited.assignment().totalBytes()).isLessThanOrEqualTo(previous);
      previous = limited.assignment().totalBytes();
      assertNoWorseThanStrategies(problem, limited);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("fewerSeeds")
  void search_stoppedAnywhere_isValidAndNoWorseThanAnyStrategy(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    PlanProblem problem = PlanProblem.of(regime.unsorted());
    long[] asksLeft = {regime.random().nextLong(1L << regime.random().nextInt(10))};
    SearchOptions options =
        SearchOptions.defaults().withNodeLimit(NODE_LIMIT).withTimeLimit(Duration.ofNanos(1));
    SearchResult<ObjectsAssignment> result =
        ObjectsSearch.of(problem, options, () -> asksLeft[0]-- <= 0 ? 1 : 0).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.lowerBoundBytes()).isLessThanOrEqualTo(result.assignment().totalBytes());
    assertNoWorseThanStrategies(problem, result);
  }

  private static void assertNoWorseThanStrategies(
      PlanProblem problem, SearchResult<ObjectsAssignment> result) {
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy != MemoryStrategy.OPTIMAL && strategy.plansObjects()) {
        assertThat(result.assignment().totalBytes())
            .as("%s", strategy)
            .isLessThanOrEqualTo(strategy.planObjects(problem).totalBytes());
      }
    }
  }

  private static long largest(ObjectRecords records, int[] objectIds, int object) {
    return IntStream.range(0, records.count())
        .filter(i -> objectIds[i] == object)
        .mapToLong(i -> records.bytes()[i])
        .max()
        .orElse(0);
  }

  private static boolean share(ObjectRecords records, int a, int b) {
    return records.firstRanks()[a] <= records.lastRanks()[b]
        && records.firstRanks()[b] <= records.lastRanks()[a];
  }

  /** {@return the bytes of a plan, which must be valid} */
  private static long bytes(ObjectRecords records, int[] objectIds) {
    for (int a = 0; a < objectIds.length; a++) {
      for (int b = 0; b < a; b++) {
        assertThat(objectIds[a] == objectIds[b] && share(records, a, b)).isFalse();
      }
    }
    return Arrays.stream(objectIds)
        .distinct()
        .mapToLong(object -> largest(records, objectIds, object))
        .sum();
  }

  private static long[] maximums(PlanProblem problem) {
    return Arrays.stream(PositionalMaximums.of(problem)).filter(bytes -> bytes > 0).toArray();
  }

  private static List<TensorUsageRecord> fewRecords(Random random) {
    int tasks = 1 + random.nextInt(10);
    int longest = 1 + random.nextInt(tasks);
    int largest = 1 + random.nextInt(random.nextBoolean() ? 4 : 50);
    List<TensorUsageRecord> records = new ArrayList<>();
    int count = random.nextInt(8);
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(tasks);
      int last = Math.min(tasks - 1, first + random.nextInt(longest));
      records.add(TensorUsageRecord.of(random.nextInt(largest + 1), first, last));
    }
    return records;
  }

  /** {@return the least bytes of any partition whose first records are in {@code objects}} */
  private static long leastBytes(
      List<TensorUsageRecord> records, List<List<TensorUsageRecord>> objects, int next) {
    if (next == records.size()) {
      return objects.stream()
          .mapToLong(o -> o.stream().mapToLong(TensorUsageRecord::bytes).max().orElse(0))
          .sum();
    }
    TensorUsageRecord record = records.get(next);
    List<TensorUsageRecord> fresh = new ArrayList<>(List.of(record));
    objects.add(fresh);
    long least = leastBytes(records, objects, next + 1);
    objects.removeLast();
    for (int k = 0; k < objects.size(); k++) {
      List<TensorUsageRecord> object = objects.get(k);
      if (object.stream().noneMatch(member -> NaivePlanners.conflict(member, record))) {
        object.add(record);
        least = Math.min(least, leastBytes(records, objects, next + 1));
        object.removeLast();
      }
    }
    return least;
  }
}
