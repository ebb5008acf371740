package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Random graphs of operators with the records of their outputs, and exhaustive computations over
 * all execution orders, without code of the planner.
 */
public final class GraphProblems {

  /** For each record, the operator that computes it. */
  private final List<Integer> producers = new ArrayList<>();

  /** For each operator, the records that it reads. */
  private final List<List<Integer>> inputs = new ArrayList<>();

  private final Random random;

  private GraphProblems(Random random) {
    this.random = random;
  }

  /** {@return random operators, each with one to {@code maxOutputs} outputs} */
  public static GraphProblems of(Random random, int operators, int maxOutputs) {
    GraphProblems graph = new GraphProblems(random);
    int maxDistance = 1 + random.nextInt(operators);
    int maxInputs = 1 + random.nextInt(3);
    for (int operator = 0; operator < operators; operator++) {
      List<Integer> read = new ArrayList<>();
      int records = graph.producers.size();
      for (int k = random.nextInt(maxInputs + 1); k > 0 && records > 0; k--) {
        int input = Math.max(0, records - 1 - random.nextInt(maxDistance));
        if (!read.contains(input)) {
          read.add(input);
        }
      }
      graph.inputs.add(read);
      for (int k = 1 + random.nextInt(maxOutputs); k > 0; k--) {
        graph.producers.add(operator);
      }
    }
    return graph;
  }

  /** {@return the number of records} */
  public int recordCount() {
    return producers.size();
  }

  /** {@return for each record, the records computed by the operators that read it} */
  public List<List<Integer>> dependents() {
    List<List<Integer>> dependents = new ArrayList<>();
    for (int i = 0; i < recordCount(); i++) {
      int record = i;
      dependents.add(
          IntStream.range(0, recordCount())
              .filter(other -> inputs.get(producers.get(other)).contains(record))
              .boxed()
              .toList());
    }
    return dependents;
  }

  /** {@return the records, with random sizes; some are live after their last readers} */
  List<TensorUsageRecord> records(int largest) {
    List<TensorUsageRecord> records = new ArrayList<>();
    int outlive = random.nextInt(3) == 0 ? 3 : 1;
    for (int i = 0; i < recordCount(); i++) {
      int first = producers.get(i);
      int last = first;
      for (int operator = 0; operator < inputs.size(); operator++) {
        last = inputs.get(operator).contains(i) ? operator : last;
      }
      last += random.nextInt(outlive);
      records.add(
          TensorUsageRecord.of(
              random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(largest), first, last));
    }
    return records;
  }

  /** {@return a problem of the records with alignments, pins, hints and gaps} */
  public PlanProblem problem(int largest, boolean pins) {
    List<TensorUsageRecord> records = new ArrayList<>();
    boolean special = random.nextBoolean();
    for (TensorUsageRecord plain : records(largest)) {
      TensorUsageRecord record = plain;
      if (special && random.nextInt(3) == 0) {
        record = record.withAlignment(1 + random.nextInt(4));
      }
      if (special && pins && random.nextInt(4) == 0) {
        record = record.pinnedAt(record.alignment() * random.nextInt(5));
      }
      if (special && random.nextInt(4) == 0) {
        record = record.withHint(random.nextInt(20));
      }
      if (special && random.nextInt(4) == 0) {
        record = record.withGaps(List.of(Gap.of(record.lastTask(), record.lastTask())));
      }
      records.add(record);
    }
    PlanProblem problem = new PlanProblem(records, 1, Optional.empty());
    ReuseGraph usage = ReuseGraph.ofUsage(dependents());
    return problem.withReuseGraph(random.nextInt(4) == 0 ? usage.reallocationGraph() : usage);
  }

  /** Passes on the live records at each step of each order; records without readers stay live. */
  public void forEachStep(Consumer<List<Integer>> live) {
    execute(new ArrayList<>(), live);
  }

  private void execute(List<Integer> done, Consumer<List<Integer>> live) {
    for (int operator = 0; operator < inputs.size(); operator++) {
      if (!done.contains(operator)
          && inputs.get(operator).stream().allMatch(i -> done.contains(producers.get(i)))) {
        int current = operator;
        live.accept(
            IntStream.range(0, recordCount())
                .filter(i -> isLive(i, done, current))
                .boxed()
                .toList());
        done.add(operator);
        execute(done, live);
        done.removeLast();
      }
    }
  }

  private boolean isLive(int record, List<Integer> done, int current) {
    if (producers.get(record) == current) {
      return true;
    }
    if (!done.contains(producers.get(record))) {
      return false;
    }
    List<Integer> readers =
        IntStream.range(0, inputs.size())
            .filter(k -> inputs.get(k).contains(record))
            .boxed()
            .toList();
    return readers.isEmpty() || !done.containsAll(readers);
  }

  /**
   * {@return the pairs that must not share memory, by the graph and by lifetimes including gaps}
   */
  public static boolean[][] conflicts(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    int count = records.size();
    boolean[][] conflicts = new boolean[count][count];
    ReuseGraph graph = problem.reuseGraph().orElseThrow();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        TensorUsageRecord a = records.get(i);
        TensorUsageRecord b = records.get(j);
        boolean share =
            graph.isUsageGraph()
                ? mayFollow(graph, i, j) || mayFollow(graph, j, i)
                : graph.mayShare(i, j);
        conflicts[i][j] =
            i != j && (!share || (a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask()));
      }
    }
    return conflicts;
  }

  /** {@return true if the follower is reachable from all dependents of the record} */
  static boolean mayFollow(ReuseGraph graph, int record, int follower) {
    int[] dependents = graph.dependents(record);
    for (int dependent : dependents) {
      if (!isReached(graph, dependent, follower)) {
        return false;
      }
    }
    return dependents.length > 0;
  }

  private static boolean isReached(ReuseGraph graph, int from, int to) {
    for (int next : graph.dependents(from)) {
      if (next == to || isReached(graph, next, to)) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return the size of the smallest arena, by all orders of placement at the lowest free offset}
   */
  public static long smallestArena(PlanProblem problem) {
    return new Arena(problem).smallest();
  }

  private static final class Arena {

    private final PlanProblem problem;
    private final boolean[][] conflicts;
    private final long[] offsets;
    private final boolean[] placed;
    private long best = Long.MAX_VALUE;

    Arena(PlanProblem problem) {
      this.problem = problem;
      conflicts = conflicts(problem);
      offsets = new long[conflicts.length];
      placed = new boolean[conflicts.length];
    }

    long smallest() {
      long end = 0;
      for (int i = 0; i < placed.length; i++) {
        TensorUsageRecord record = problem.records().get(i);
        placed[i] = record.pinnedOffset().isPresent() || record.bytes() == 0;
        offsets[i] = record.pinnedOffset().orElse(0);
        end = Math.max(end, offsets[i] + record.bytes());
      }
      place(end);
      return best;
    }

    private void place(long end) {
      if (end >= best) {
        return;
      }
      boolean all = true;
      for (int i = 0; i < placed.length; i++) {
        if (!placed[i]) {
          all = false;
          offsets[i] = lowestFree(i);
          placed[i] = true;
          place(Math.max(end, offsets[i] + problem.records().get(i).bytes()));
          placed[i] = false;
        }
      }
      if (all) {
        best = end;
      }
    }

    private long lowestFree(int record) {
      TensorUsageRecord own = problem.records().get(record);
      long alignment = ExhaustivePlans.alignment(problem, own);
      long offset = 0;
      for (boolean moved = true; moved; ) {
        moved = false;
        for (int other = 0; other < placed.length; other++) {
          long end = offsets[other] + problem.records().get(other).bytes();
          if (placed[other]
              && offsets[other] < end
              && conflicts[record][other]
              && offset < end
              && offsets[other] < offset + own.bytes()) {
            offset = ExhaustivePlans.roundUp(end, alignment);
            moved = true;
          }
        }
      }
      return offset;
    }
  }

  /** {@return the minimum sum of object sizes, by all partitions of the records} */
  public static long smallestObjects(PlanProblem problem) {
    return smallestObjects(problem, conflicts(problem), new ArrayList<>(), 0);
  }

  private static long smallestObjects(
      PlanProblem problem, boolean[][] conflicts, List<List<Integer>> objects, int next) {
    if (next == conflicts.length) {
      return objects.stream()
          .mapToLong(object ->
              object.stream().mapToLong(i -> problem.records().get(i).bytes()).max().orElseThrow())
          .sum();
    }
    long best = Long.MAX_VALUE;
    for (int k = 0; k < objects.size(); k++) {
      List<Integer> object = objects.get(k);
      if (object.stream().noneMatch(other -> conflicts[next][other])) {
        object.add(next);
        best = Math.min(best, smallestObjects(problem, conflicts, objects, next + 1));
        object.removeLast();
      }
    }
    objects.add(new ArrayList<>(List.of(next)));
    best = Math.min(best, smallestObjects(problem, conflicts, objects, next + 1));
    objects.removeLast();
    return best;
  }

  /** {@return two independent chains, whose records must not share memory across chains} */
  public static PlanProblem twoChains(int length, Random random) {
    List<TensorUsageRecord> records = new ArrayList<>();
    List<List<Integer>> dependents = new ArrayList<>();
    for (int i = 0; i < 2 * length; i++) {
      boolean isLast = i % length == length - 1;
      records.add(TensorUsageRecord.of(1 + random.nextInt(100), i, isLast ? i : i + 1));
      dependents.add(isLast ? List.of() : List.of(i + 1));
    }
    return PlanProblem.of(records).withReuseGraph(ReuseGraph.ofUsage(dependents));
  }
}
