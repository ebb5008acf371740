package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.GraphProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.ObjectsSearch;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares plans with graphs with all execution orders and with all plans. */
class ReuseGraphRandomTest {

  /** Searches end before this limit; it only prevents a faulty one from blocking the build. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1));

  private static final long OBJECTS_NODES = 100_000;

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  static LongStream manySeeds() {
    return RandomRecords.seeds(400);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plans_anyOperators_holdInEveryOrder(long seed) {
    Random random = new Random(seed);
    GraphProblems operators =
        GraphProblems.of(random, 1 + random.nextInt(6), 1 + random.nextInt(2));
    PlanProblem problem = operators.problem(9, false);
    List<OffsetsAssignment> offsets = new ArrayList<>();
    List<ObjectsAssignment> objects = new ArrayList<>();
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      offsets.add(strategy.planOffsets(problem));
      if (strategy.plansObjects()) {
        objects.add(strategy.planObjects(problem));
      }
    }
    boolean[][] bothLive = bothLive(operators);
    for (int i = 0; i < bothLive.length; i++) {
      for (int j = 0; j < i; j++) {
        if (bothLive[i][j]) {
          assertDisjoint(problem, i, j, offsets, objects);
        }
      }
    }
  }

  /** {@return the pairs of records that are live at the same step of an order} */
  private static boolean[][] bothLive(GraphProblems operators) {
    boolean[][] bothLive = new boolean[operators.recordCount()][operators.recordCount()];
    operators.forEachStep(live -> live.forEach(i -> live.forEach(j -> bothLive[i][j] = true)));
    return bothLive;
  }

  private static void assertDisjoint(
      PlanProblem problem,
      int i,
      int j,
      List<OffsetsAssignment> offsets,
      List<ObjectsAssignment> objects) {
    for (OffsetsAssignment plan : offsets) {
      long start = Math.max(plan.offset(i), plan.offset(j));
      long end =
          Math.min(
              plan.offset(i) + problem.records().get(i).bytes(),
              plan.offset(j) + problem.records().get(j).bytes());
      assertThat(start < end).as("%d and %d of %s of %s", i, j, plan, problem).isFalse();
    }
    for (ObjectsAssignment plan : objects) {
      assertThat(plan.objectId(i)).as("%s of %s", plan, problem).isNotEqualTo(plan.objectId(j));
    }
  }

  /** The rule is exact if each operator has one output. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void reallocationGraph_oneOutputEach_hasThePairsThatAllOrdersAllow(long seed) {
    Random random = new Random(seed);
    GraphProblems operators = GraphProblems.of(random, 1 + random.nextInt(7), 1);
    ReuseGraph graph = ReuseGraph.ofUsage(operators.dependents()).reallocationGraph();
    boolean[][] bothLive = bothLive(operators);
    for (int i = 0; i < bothLive.length; i++) {
      for (int j = 0; j < bothLive.length; j++) {
        assertThat(graph.mayShare(i, j)).as("%d, %d of %s", i, j, graph).isEqualTo(!bothLive[i][j]);
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void search_fewRecords_isTheBestOfAllPlans(long seed) {
    Random random = new Random(seed);
    GraphProblems operators = GraphProblems.of(random, 1 + random.nextInt(6), 1);
    PlanProblem problem = operators.problem(9, true);
    long optimum = GraphProblems.smallestArena(problem);
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, OPTIONS).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).as("%s", problem).isEqualTo(optimum);
    assertThat(result.lowerBoundBytes()).as("%s", problem).isEqualTo(optimum);
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
    assertThat(LowerBounds.of(problem).offsetsBytes())
        .as("%s", problem)
        .isLessThanOrEqualTo(optimum);
    if (!problem.hasPins()) {
      long objects = GraphProblems.smallestObjects(problem);
      SearchResult<ObjectsAssignment> found = searchObjects(problem, OBJECTS_NODES);
      assertThat(AssignmentChecker.violation(problem, found.assignment())).isEmpty();
      assertThat(found.assignment().totalBytes()).as("%s", problem).isEqualTo(objects);
      assertThat(found.isOptimal()).as("%s", problem).isTrue();
      assertThat(LowerBounds.of(problem).objectsBytes()).isLessThanOrEqualTo(objects);
    }
  }

  /** {@return the result of a search without a time limit} */
  private static SearchResult<ObjectsAssignment> searchObjects(
      PlanProblem problem, long nodeLimit) {
    SearchOptions nodesOnly =
        SearchOptions.defaults()
            .withNodeLimit(nodeLimit)
            .withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE));
    return ObjectsSearch.of(problem, nodesOnly).run();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void search_moreRecords_isNeverAboveAStrategy(long seed) {
    Random random = new Random(seed);
    GraphProblems operators =
        GraphProblems.of(random, 1 + random.nextInt(30), 1 + random.nextInt(2));
    PlanProblem problem = operators.problem(100, seed % 2 == 0);
    OffsetsSearch[] search = new OffsetsSearch[1];
    SearchOptions endAfterQuickPlans = OPTIONS.withProgress(progress -> search[0].cancel());
    search[0] = OffsetsSearch.of(problem, endAfterQuickPlans);
    SearchResult<OffsetsAssignment> result = search[0].run();
    ObjectsAssignment objects =
        problem.hasPins()
            ? MemoryStrategy.NAIVE.planObjects(PlanProblem.of(List.of()))
            : searchObjects(problem, 0).assignment();
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy != MemoryStrategy.OPTIMAL && (strategy.placesPins() || !problem.hasPins())) {
        OffsetsAssignment plan = strategy.planOffsets(problem);
        assertThat(AssignmentChecker.violation(problem, plan)).as("%s", strategy).isEmpty();
        assertThat(result.assignment().totalBytes())
            .as("%s of %s", strategy, problem)
            .isLessThanOrEqualTo(plan.totalBytes());
        assertThat(LowerBounds.of(problem).offsetsBytes()).isLessThanOrEqualTo(plan.totalBytes());
        if (strategy.plansObjects() && !problem.hasPins()) {
          ObjectsAssignment shared = strategy.planObjects(problem);
          assertThat(AssignmentChecker.violation(problem, shared)).as("%s", strategy).isEmpty();
          assertThat(objects.totalBytes())
              .as("%s of %s", strategy, problem)
              .isLessThanOrEqualTo(shared.totalBytes());
          assertThat(LowerBounds.of(problem).objectsBytes())
              .isLessThanOrEqualTo(shared.totalBytes());
        }
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("manySeeds")
  void checker_anyPlan_findsPairsThatConflictAndShareMemory(long seed) {
    Random random = new Random(seed);
    GraphProblems operators =
        GraphProblems.of(random, 1 + random.nextInt(8), 1 + random.nextInt(2));
    PlanProblem problem = operators.problem(5, true);
    int count = problem.records().size();
    long[] offsets = new long[count];
    int[] objectIds = new int[count];
    for (int i = 0; i < count; i++) {
      TensorUsageRecord record = problem.records().get(i);
      long slot = record.alignment() * random.nextInt(1 + 20 / (int) record.alignment());
      offsets[i] = record.pinnedOffset().orElse(slot);
      objectIds[i] = random.nextInt(count);
    }
    boolean[][] conflicts = GraphProblems.conflicts(problem);
    boolean offsetsAreValid = true;
    boolean objectsAreValid = true;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < i; j++) {
        TensorUsageRecord a = problem.records().get(i);
        TensorUsageRecord b = problem.records().get(j);
        boolean pinned = a.pinnedOffset().isPresent() && b.pinnedOffset().isPresent();
        boolean shareBytes =
            Math.max(offsets[i], offsets[j])
                < Math.min(offsets[i] + a.bytes(), offsets[j] + b.bytes());
        offsetsAreValid &= !shareBytes || pinned || !conflicts[i][j];
        objectsAreValid &= objectIds[i] != objectIds[j] || !conflicts[i][j];
      }
    }
    OffsetsAssignment plan = OffsetsAssignment.of(offsets, 100);
    assertThat(AssignmentChecker.violation(problem, plan).isEmpty())
        .as("%s of %s", plan, problem)
        .isEqualTo(offsetsAreValid);
    if (!problem.hasPins()) {
      long[] objectBytes = new long[count];
      Arrays.fill(objectBytes, 5);
      ObjectsAssignment objects = ObjectsAssignment.of(objectIds, objectBytes);
      assertThat(AssignmentChecker.violation(problem, objects).isEmpty())
          .as("%s of %s", objects, problem)
          .isEqualTo(objectsAreValid);
    }
  }

  /** Rows have several words, and several strips of words. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("fewSeeds")
  void reallocationGraph_manyRecords_agreesWithTheRule(long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(700);
    int reach = 1 + random.nextInt(count);
    List<List<Integer>> dependents = new ArrayList<>();
    boolean[][] reached = new boolean[count][count];
    List<Integer> names = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(names, random);
    for (int i = 0; i < count; i++) {
      dependents.add(new ArrayList<>());
    }
    for (int i = count - 1; i >= 0; i--) {
      for (int k = random.nextInt(3); k > 0 && i + 1 < count; k--) {
        int dependent = i + 1 + random.nextInt(Math.min(reach, count - 1 - i));
        dependents.get(names.get(i)).add(names.get(dependent));
        reached[names.get(i)][names.get(dependent)] = true;
        for (int j = 0; j < count; j++) {
          reached[names.get(i)][j] |= reached[names.get(dependent)][j];
        }
      }
    }
    ReuseGraph graph = ReuseGraph.ofUsage(dependents).reallocationGraph();
    for (int i = 0; i < count; i++) {
      int record = i;
      int[] expected =
          IntStream.range(0, count)
              .filter(j ->
                  follows(dependents.get(record), reached, j)
                      || follows(dependents.get(j), reached, record))
              .toArray();
      assertThat(graph.partners(i)).isEqualTo(expected);
    }
    assertThat(ReuseGraph.ofReallocation(partners(graph))).isEqualTo(graph);
  }

  static LongStream fewSeeds() {
    return RandomRecords.seeds(4);
  }

  private static int[][] partners(ReuseGraph graph) {
    int[][] partners = new int[graph.recordCount()][];
    Arrays.setAll(partners, graph::partners);
    return partners;
  }

  private static boolean follows(List<Integer> dependents, boolean[][] reached, int follower) {
    return !dependents.isEmpty() && dependents.stream().allMatch(d -> reached[d][follower]);
  }
}
