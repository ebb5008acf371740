package dev.stowage.plan.search.offsets;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An exhaustive search for the smallest arena of a partition. */
final class ExactPartitionSearch implements PartitionSearch {

  /*
   * If an arena above the lower bound is small enough, the searches of a round have that capacity,
   * and the first plan within it ends the search. One search has the lower bound as its capacity: a
   * tight capacity often makes a search short. Without such a goal, that is the capacity of half of
   * the searches. The capacity of the others lies between the bounds, and moves towards the upper
   * bound while they find nothing.
   *
   * The result does not depend on which thread finishes first. Results are merged in the
   * order of the searches, and a plan within the goal stops only the searches after it.
   */

  /** The target moves up after so many rounds without improvement. */
  private static final int ROUNDS_PER_TARGET = 12;

  private final Partition partition;
  private final long pinnedEnd;
  private final long unitBytes;
  private final List<CapacitySearch> atGoal = new ArrayList<>();
  private final List<CapacitySearch> betweenBounds = new ArrayList<>();
  private long lowerBytes;
  private long upperBytes;
  private long[] offsets;

  /** The position of the next capacity between the lower bound, 0, and the upper bound, 1. */
  private double target = 0.5;

  private int roundsAtTarget;

  /** The index of the first search of the round that found a plan within the goal. */
  private volatile int firstAtGoal = Integer.MAX_VALUE;

  /**
   * Creates a search that starts from a plan.
   *
   * @param movable the indices of the partition's movable records, ascending
   * @param pinned the indices of its pinned records
   * @param leastBytes a lower bound of every arena of the partition
   * @param plan a plan of the whole problem
   * @param stop true to give up
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  ExactPartitionSearch(
      PlanProblem problem,
      int[] movable,
      int[] pinned,
      long leastBytes,
      OffsetsAssignment plan,
      BooleanSupplier stop) {
    StepCounter steps = new StepCounter(stop);
    partition = Partition.of(problem, movable, pinned, plan.offsets(), steps);
    offsets = Arrays.stream(movable).mapToLong(plan::offset).toArray();
    pinnedEnd =
        Arrays.stream(pinned)
            .mapToLong(i -> plan.offset(i) + problem.records().get(i).bytes())
            .max()
            .orElse(0);
    upperBytes = Math.max(pinnedEnd, partition.end(offsets));
    unitBytes = partition.unitBytes();
    long bound = Math.max(leastBytes, PaddedLoad.of(partition, steps));
    // An arena that ends above the pinned records ends with a movable one, at a multiple of the
    // unit.
    lowerBytes =
        Math.min(upperBytes, bound <= pinnedEnd ? pinnedEnd : Alignment.up(bound, unitBytes));
    if (partition.hasWindows) {
      PairConflicts pairs = new PairConflicts(partition, problem, pinned, steps);
      atGoal.add(new PairSearch(pairs));
      betweenBounds.add(new PairSearch(pairs));
    }
    long members = Arrays.stream(partition.members).mapToLong(list -> list.length).sum();
    for (RecordPriority priority : RecordPriority.values()) {
      steps.check(8 * members);
      atGoal.add(new RestartedSearch(partition, priority));
      betweenBounds.add(new RestartedSearch(partition, priority));
    }
  }

  /** {@return the memory of the tables of failed states, in list entries of four bytes} */
  static long tableEntries(int records) {
    return 2L * RecordPriority.values().length * 4 * FailedStates.size(records);
  }

  @Override
  public long lowerBytes() {
    return lowerBytes;
  }

  @Override
  public long upperBytes() {
    return upperBytes;
  }

  @Override
  public long nodes() {
    return atGoal.stream().mapToLong(CapacitySearch::nodes).sum()
        + betweenBounds.stream().mapToLong(CapacitySearch::nodes).sum();
  }

  @Override
  public void copyOffsets(long[] ofProblem) {
    for (int record = 0; record < offsets.length; record++) {
      ofProblem[partition.records[record]] = offsets[record];
    }
  }

  @Override
  public Round nextRound(long goalBytes, BooleanSupplier stop) {
    return new SearchRound(goalBytes, stop);
  }

  /** A run of each search, at the goal or between the bounds. */
  private final class SearchRound implements Round {

    private final List<Turn> turns = new ArrayList<>();

    private SearchRound(long goalBytes, BooleanSupplier stop) {
      long goal = Math.max(goalBytes, lowerBytes);
      if (goal > lowerBytes) {
        turns.add(new Turn(betweenBounds.getFirst(), lowerBytes, true, turns.size(), stop));
      }
      for (CapacitySearch search : atGoal) {
        turns.add(new Turn(search, goal, true, turns.size(), stop));
      }
      long capacity = targetCapacity();
      if (goal == lowerBytes && capacity > lowerBytes) {
        for (CapacitySearch search : betweenBounds) {
          turns.add(new Turn(search, capacity, false, turns.size(), stop));
        }
      }
    }

    @Override
    public List<Turn> turns() {
      return turns;
    }

    @Override
    public void end() {
      long before = upperBytes;
      for (Turn turn : turns) {
        if (turn.index <= firstAtGoal) {
          apply(turn);
        }
      }
      firstAtGoal = Integer.MAX_VALUE;
      if (upperBytes < before) {
        target = 0.5;
        roundsAtTarget = 0;
      } else if (++roundsAtTarget == ROUNDS_PER_TARGET) {
        target = (1 + target) / 2;
        roundsAtTarget = 0;
      }
    }
  }

  /** A run of one search. */
  private final class Turn implements Runnable {

    private final CapacitySearch search;
    private final long capacity;
    private final boolean isAtGoal;
    private final int index;
    private final BooleanSupplier stop;
    private CapacitySearch.Outcome outcome = CapacitySearch.Outcome.INCOMPLETE;

    private Turn(
        CapacitySearch search, long capacity, boolean isAtGoal, int index, BooleanSupplier stop) {
      this.search = search;
      this.capacity = capacity;
      this.isAtGoal = isAtGoal;
      this.index = index;
      this.stop = stop;
    }

    @Override
    public void run() {
      outcome = search.next(capacity, () -> firstAtGoal < index || stop.getAsBoolean());
      if (outcome == CapacitySearch.Outcome.FOUND && isAtGoal) {
        reportAtGoal(index);
      }
    }
  }

  private synchronized void reportAtGoal(int index) {
    firstAtGoal = Math.min(firstAtGoal, index);
  }

  /** {@return the capacity between the bounds, below the upper bound, at the target position} */
  private long targetCapacity() {
    long units = (upperBytes - lowerBytes) / unitBytes;
    return lowerBytes + Math.min(units - 1, (long) (units * target)) * unitBytes;
  }

  /** Updates the bounds by the result of a run. */
  private void apply(Turn turn) {
    switch (turn.outcome) {
      case FOUND -> {
        long end = Math.max(pinnedEnd, partition.end(turn.search.offsets()));
        if (end < upperBytes) {
          upperBytes = end;
          offsets = turn.search.offsets().clone();
        }
      }
      case INFEASIBLE ->
          lowerBytes =
              Math.min(
                  upperBytes, Math.max(lowerBytes, Alignment.up(turn.capacity + 1, unitBytes)));
      case INCOMPLETE -> {}
    }
  }
}
