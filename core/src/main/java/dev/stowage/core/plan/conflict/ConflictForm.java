package dev.stowage.core.plan.conflict;

import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.time.LivePairs;
import dev.stowage.core.plan.time.PositionalMaximums;
import dev.stowage.core.plan.time.TaskLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;

/**
 * A problem with a {@link ReuseGraph}, as ordinary problems: their plans are valid in every order
 * that the graph allows.
 */
public final class ConflictForm {

  /*
   * Two ways to say by lifetimes alone which records conflict:
   *
   *   widened   Each record lives until the last record has started that conflicts with it. All
   *             pairs that conflict have a task in common then; others may have, too. If there are
   *             none of these, the form is exact. For all strategies.
   *   cliques   A task for each of some sets of records that all conflict with each other, so that
   *             each pair that conflicts is in a set. A record lives in its sets, with gaps between
   *             them. Exact, for those that use gaps: the arena of the plans is that of the problem,
   *             and so are lower bounds. The number of sets may be near that of the pairs.
   */

  private final PlanProblem problem;
  private final Conflicts conflicts;
  private final PlanProblem widened;
  private final boolean isWidenedExact;

  private final StepCounter steps;

  private ConflictForm(PlanProblem problem, Conflicts conflicts, StepCounter steps) {
    this.problem = problem;
    this.conflicts = conflicts;
    this.steps = steps;
    widened = widened(problem, conflicts, steps);
    isWidenedExact = LivePairs.count(widened.records()) == conflicts.pairCount(steps);
  }

  /** {@return the forms of a problem, which has a graph; O(n² / 64) and the pairs that conflict} */
  public static ConflictForm of(PlanProblem problem) {
    return of(problem, () -> false);
  }

  /**
   * {@return the forms of a problem, which has a graph, as {@link #of(PlanProblem)}}
   *
   * @param stop ends the work on the forms, now and later
   * @throws java.util.concurrent.CancellationException if {@code stop} said so, as all methods do
   */
  public static ConflictForm of(PlanProblem problem, BooleanSupplier stop) {
    return new ConflictForm(problem, new Conflicts(problem), new StepCounter(stop));
  }

  public Conflicts conflicts() {
    return conflicts;
  }

  /** {@return a problem without graph and gaps in which at least the same records conflict} */
  public PlanProblem widened() {
    return widened;
  }

  /** {@return true if exactly the same records conflict in the widened problem} */
  public boolean isWidenedExact() {
    return isWidenedExact;
  }

  /**
   * {@return a problem without a graph, but with gaps, that has exactly the same offsets plans;
   * empty if it would be too large}
   */
  public Optional<PlanProblem> exact() {
    return isWidenedExact
        ? Optional.of(widened)
        : ConflictCliques.cover(problem, conflicts, steps)
            .map(this::withHeaviest)
            .map(this::ofCliques);
  }

  /** A task more for a set that no other is heavier than; the bound of a search is its load. */
  private List<int[]> withHeaviest(List<int[]> cliques) {
    List<int[]> all = new ArrayList<>(cliques);
    ConflictCliques.heavy(problem, conflicts, steps).stream().limit(1).forEach(all::add);
    return all;
  }

  /**
   * Lower bounds of a problem with a graph.
   *
   * @param offsetsBytes no arena is smaller
   * @param objectsBytes no sum of shared objects is smaller
   */
  public record Bounds(long offsetsBytes, long objectsBytes) {

    private static Bounds ofLifetimes(PlanProblem problem) {
      return new Bounds(TaskLoad.bytes(problem), PositionalMaximums.sum(problem));
    }
  }

  /** {@return the bounds of the problem's tasks and of sets of records that conflict} */
  public Bounds bounds() {
    if (isWidenedExact) {
      return Bounds.ofLifetimes(widened);
    }
    Bounds ofLifetimes = Bounds.ofLifetimes(withoutGaps());
    List<int[]> sets = new ArrayList<>(ConflictCliques.heavy(problem, conflicts, steps));
    ConflictCliques.cover(problem, conflicts, steps).ifPresent(sets::addAll);
    return new Bounds(
        Math.max(ofLifetimes.offsetsBytes(), offsetsBytes(sets)),
        Math.max(ofLifetimes.objectsBytes(), objectsBytes(sets)));
  }

  /** {@return the problem without graph and gaps} */
  public PlanProblem withoutGaps() {
    return withoutGaps(problem);
  }

  /** {@return a problem without its graph and gaps} */
  public static PlanProblem withoutGaps(PlanProblem problem) {
    return new PlanProblem(
        problem.withoutUnusedGaps().records(), problem.alignment(), Optional.empty());
  }

  /** {@return a problem without its graph and gaps, in which all records are live to the end} */
  public static PlanProblem withoutSharing(PlanProblem problem) {
    long last = problem.records().stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    return withLastTasks(problem, i -> last);
  }

  private static PlanProblem widened(PlanProblem problem, Conflicts conflicts, StepCounter steps) {
    long[] latestStarts = conflicts.latestStarts();
    return withLastTasks(
        problem,
        i -> {
          steps.check(conflicts.wordCount());
          return Math.max(
              problem.records().get(i).lastTask(),
              conflicts.latestConflictingStart(i, latestStarts));
        });
  }

  /** {@return the problem without graph and gaps, with other last tasks} */
  private static PlanProblem withLastTasks(PlanProblem problem, IntToLongFunction lastTask) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < problem.records().size(); i++) {
      TensorUsageRecord record = problem.records().get(i);
      records.add(living(record, record.firstTask(), lastTask.applyAsLong(i), List.of()));
    }
    return new PlanProblem(records, problem.alignment(), Optional.empty());
  }

  private static TensorUsageRecord living(
      TensorUsageRecord record, long firstTask, long lastTask, List<Gap> gaps) {
    return record
        .withConstraints(record.constraints().withGaps(List.of()))
        .withLifetime(firstTask, lastTask)
        .withGaps(gaps);
  }

  private PlanProblem ofCliques(List<int[]> cliques) {
    int[] first = new int[problem.records().size()];
    int[] last = new int[first.length];
    Arrays.fill(first, -1);
    List<List<Gap>> gaps = new ArrayList<>();
    for (int i = 0; i < first.length; i++) {
      gaps.add(new ArrayList<>(0));
    }
    for (int task = 0; task < cliques.size(); task++) {
      for (int i : cliques.get(task)) {
        if (first[i] < 0) {
          first[i] = task;
        } else if (last[i] < task - 1) {
          gaps.get(i).add(Gap.of(last[i] + 1, task - 1));
        }
        last[i] = task;
      }
    }
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < first.length; i++) {
      records.add(living(problem.records().get(i), first[i], last[i], gaps.get(i)));
    }
    return new PlanProblem(records, problem.alignment(), Optional.empty());
  }

  /** {@return the most bytes that a set takes; pinned records may lie on each other} */
  private long offsetsBytes(List<int[]> cliques) {
    return cliques.stream()
        .mapToLong(clique ->
            Arrays.stream(clique)
                .mapToObj(problem.records()::get)
                .filter(record -> record.pinnedOffset().isEmpty())
                .mapToLong(TensorUsageRecord::bytes)
                .sum())
        .max()
        .orElse(0);
  }

  /** {@return the sum over all k of the largest k-th largest size in a set} */
  private long objectsBytes(List<int[]> cliques) {
    long[] maximums = new long[cliques.stream().mapToInt(clique -> clique.length).max().orElse(0)];
    for (int[] clique : cliques) {
      long[] bytes =
          Arrays.stream(clique).mapToLong(i -> problem.records().get(i).bytes()).sorted().toArray();
      for (int k = 0; k < bytes.length; k++) {
        maximums[k] = Math.max(maximums[k], bytes[bytes.length - 1 - k]);
      }
    }
    return Arrays.stream(maximums).sum();
  }
}
