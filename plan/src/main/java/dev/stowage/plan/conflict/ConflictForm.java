package dev.stowage.plan.conflict;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.LivePairs;
import dev.stowage.plan.time.PositionalMaximums;
import dev.stowage.plan.time.TaskLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;

/**
 * Ordinary problems in place of a problem with a {@link ReuseGraph}. Their plans are valid for it
 * in every order that the graph allows.
 */
public final class ConflictForm {

  /*
   * There are two ways to express conflicts by lifetimes alone:
   *
   *   widened   Each record is live until the last record that conflicts with it has started. All
   *             pairs that conflict then have a task in common, and possibly other pairs. The form
   *             is exact if there are no other pairs. All strategies can use it.
   *   cliques   Each task is a clique of the conflict graph, and the cliques cover all conflicts. A
   *             record is live in its cliques, with gaps between them. The form is exact: it has
   *             the same offsets plans and lower bounds as the problem. Only planners that use gaps
   *             can use it. There may be almost as many cliques as conflicts.
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

  /**
   * {@return the forms of a problem with a graph}
   *
   * <p>Costs O(n² / 64), plus O(1) for each conflict.
   */
  public static ConflictForm of(PlanProblem problem) {
    return of(problem, () -> false);
  }

  /**
   * {@return the forms of a problem with a graph; the caller can stop their computation}
   *
   * @param stop true to stop; the methods of the form check it, too
   * @throws java.util.concurrent.CancellationException if {@code stop} was true; also thrown by the
   *     methods of the form
   */
  public static ConflictForm of(PlanProblem problem, BooleanSupplier stop) {
    return new ConflictForm(problem, new Conflicts(problem), new StepCounter(stop));
  }

  /** {@return the conflicts of the problem} */
  public Conflicts conflicts() {
    return conflicts;
  }

  /** {@return a problem without a graph and gaps, with at least the same conflicts} */
  public PlanProblem widened() {
    return widened;
  }

  /** {@return true if exactly the same pairs conflict in the widened problem} */
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

  /** {@return the cliques and the heaviest one found, which improves the bound of a search} */
  private List<int[]> withHeaviest(List<int[]> cliques) {
    List<int[]> all = new ArrayList<>(cliques);
    ConflictCliques.heavy(problem, conflicts, steps).stream().limit(1).forEach(all::add);
    return all;
  }

  /**
   * Lower bounds of a problem with a graph.
   *
   * @param offsetsBytes a lower bound of the arena
   * @param objectsBytes a lower bound of the sum of shared objects
   */
  public record Bounds(long offsetsBytes, long objectsBytes) {

    private static Bounds ofLifetimes(PlanProblem problem) {
      return new Bounds(TaskLoad.bytes(problem), PositionalMaximums.sum(problem));
    }
  }

  /** {@return the bounds that follow from the problem's tasks and from cliques} */
  public Bounds bounds() {
    if (isWidenedExact) {
      return Bounds.ofLifetimes(widened);
    }
    Bounds ofLifetimes = Bounds.ofLifetimes(withoutGaps());
    List<int[]> cliques = new ArrayList<>(ConflictCliques.heavy(problem, conflicts, steps));
    ConflictCliques.cover(problem, conflicts, steps).ifPresent(cliques::addAll);
    return new Bounds(
        Math.max(ofLifetimes.offsetsBytes(), offsetsBytes(cliques)),
        Math.max(ofLifetimes.objectsBytes(), objectsBytes(cliques)));
  }

  /** {@return the problem without its graph and gaps} */
  public PlanProblem withoutGaps() {
    return withoutGaps(problem);
  }

  /** {@return a problem without its graph and gaps} */
  public static PlanProblem withoutGaps(PlanProblem problem) {
    return new PlanProblem(
        problem.withoutUnusedGaps().records(), problem.alignment(), Optional.empty());
  }

  /** {@return the problem without its graph and gaps; all its records are live at the last task} */
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

  /** {@return the problem without its graph and gaps, with other last tasks} */
  private static PlanProblem withLastTasks(PlanProblem problem, IntToLongFunction lastTask) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < problem.records().size(); i++) {
      TensorUsageRecord record = problem.records().get(i);
      records.add(withLifetime(record, record.firstTask(), lastTask.applyAsLong(i), List.of()));
    }
    return new PlanProblem(records, problem.alignment(), Optional.empty());
  }

  /** {@return a record with another lifetime and other gaps} */
  private static TensorUsageRecord withLifetime(
      TensorUsageRecord record, long firstTask, long lastTask, List<Gap> gaps) {
    return record.withGaps(List.of()).withLifetime(firstTask, lastTask).withGaps(gaps);
  }

  /** {@return a problem with a task for each clique} */
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
      records.add(withLifetime(problem.records().get(i), first[i], last[i], gaps.get(i)));
    }
    return new PlanProblem(records, problem.alignment(), Optional.empty());
  }

  /** {@return the maximum bytes of a clique without its pinned records, which may overlap} */
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

  /** {@return the sum over all k of the maximum k-th largest size in a clique} */
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
