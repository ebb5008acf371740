package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.base.Alignment;
import dev.stowage.core.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Narrows down the smallest arena of a part by searching through it. */
final class ExactPartSearch implements PartSearch {

  /*
   * A round lets several searches run, side by side where there are threads. Some are held to the
   * lower bound: little room makes a search short, and what they find is optimal. Others are held to
   * somewhere between the bounds, and closer to the upper one each time they find nothing.
   *
   * What a round comes to does not hang on who was first: results are taken in the order of the
   * searches, and a search is stopped only by an optimum of one before it.
   */

  /** How many rounds an aim above the lower bound is kept. */
  private static final int ROUNDS_PER_AIM = 12;

  private final Partition part;
  private final long pinnedEnd;
  private final long unitBytes;
  private final List<CapacitySearch> atLowerBound = new ArrayList<>();
  private final List<CapacitySearch> between = new ArrayList<>();
  private long lowerBytes;
  private long upperBytes;
  private long[] offsets;

  /** Where between the bounds to aim, from 0 to 1. */
  private double aim = 0.5;

  private int roundsAtAim;

  /** The first search of the round that found an optimum. */
  private volatile int optimumAt = Integer.MAX_VALUE;

  /**
   * A search.
   *
   * @param movable indices of the part's records that are not pinned, ascending
   * @param pinned indices of those that are
   * @param leastBytes no arena of the part is smaller
   * @param plan a plan of the whole problem
   * @param stop whether to give up, with a {@link java.util.concurrent.CancellationException}
   */
  ExactPartSearch(
      PlanProblem problem,
      int[] movable,
      int[] pinned,
      long leastBytes,
      OffsetsAssignment plan,
      BooleanSupplier stop) {
    StepCounter steps = new StepCounter(stop);
    part = Partition.of(problem, movable, pinned, plan.offsets(), steps);
    offsets = Arrays.stream(movable).mapToLong(plan::offset).toArray();
    pinnedEnd =
        Arrays.stream(pinned)
            .mapToLong(i -> plan.offset(i) + problem.records().get(i).bytes())
            .max()
            .orElse(0);
    upperBytes = Math.max(pinnedEnd, part.end(offsets));
    unitBytes = part.unitBytes();
    long bound = Math.max(leastBytes, part.paddedLoad());
    // Above the pins it is a movable record that ends last.
    lowerBytes =
        Math.min(upperBytes, bound <= pinnedEnd ? pinnedEnd : Alignment.up(bound, unitBytes));
    if (part.hasWindows) {
      PairConflicts pairs = new PairConflicts(part, problem, pinned, steps);
      atLowerBound.add(new PairSearch(pairs));
      between.add(new PairSearch(pairs));
    }
    long members = Arrays.stream(part.members).mapToLong(list -> list.length).sum();
    for (RecordPriority priority : RecordPriority.values()) {
      steps.check(4 * members);
      atLowerBound.add(new RestartedSearch(part, priority));
    }
    steps.check(8 * members);
    between.add(new RestartedSearch(part, RecordPriority.PEAK_AREA));
    between.add(new RestartedSearch(part, RecordPriority.SPAN));
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
    return atLowerBound.stream().mapToLong(CapacitySearch::nodes).sum()
        + between.stream().mapToLong(CapacitySearch::nodes).sum();
  }

  @Override
  public void copyOffsets(long[] ofProblem) {
    for (int record = 0; record < offsets.length; record++) {
      ofProblem[part.records[record]] = offsets[record];
    }
  }

  @Override
  public Round nextRound(long goalBytes, BooleanSupplier stop) {
    return new SearchRound(goalBytes, stop);
  }

  private final class SearchRound implements Round {

    private final List<Turn> turns = new ArrayList<>();

    private SearchRound(long goalBytes, BooleanSupplier stop) {
      for (CapacitySearch search : atLowerBound) {
        turns.add(new Turn(search, lowerBytes, turns.size(), stop));
      }
      long capacity = Math.max(goalBytes, lowerBytes);
      if (capacity == lowerBytes) {
        capacity = aimedAt();
      }
      for (CapacitySearch search : between) {
        if (capacity > lowerBytes) {
          turns.add(new Turn(search, capacity, turns.size(), stop));
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
        if (turn.index <= optimumAt) {
          take(turn);
        }
      }
      optimumAt = Integer.MAX_VALUE;
      if (upperBytes < before) {
        aim = 0.5;
        roundsAtAim = 0;
      } else if (++roundsAtAim == ROUNDS_PER_AIM) {
        aim = (1 + aim) / 2;
        roundsAtAim = 0;
      }
    }
  }

  /** A search of a round. */
  private final class Turn implements Runnable {

    private final CapacitySearch search;
    private final long capacity;
    private final int index;
    private final BooleanSupplier stop;
    private CapacitySearch.Outcome outcome = CapacitySearch.Outcome.CUT;

    private Turn(CapacitySearch search, long capacity, int index, BooleanSupplier stop) {
      this.search = search;
      this.capacity = capacity;
      this.index = index;
      this.stop = stop;
    }

    @Override
    public void run() {
      outcome = search.next(capacity, () -> optimumAt < index || stop.getAsBoolean());
      if (outcome == CapacitySearch.Outcome.FOUND && capacity == lowerBytes) {
        noteOptimum(index);
      }
    }
  }

  private synchronized void noteOptimum(int index) {
    optimumAt = Math.min(optimumAt, index);
  }

  private long aimedAt() {
    long steps = (upperBytes - lowerBytes) / unitBytes;
    return lowerBytes + Math.min(steps - 1, (long) (steps * aim)) * unitBytes;
  }

  private void take(Turn turn) {
    switch (turn.outcome) {
      case FOUND -> {
        long end = Math.max(pinnedEnd, part.end(turn.search.offsets()));
        if (end < upperBytes) {
          upperBytes = end;
          offsets = turn.search.offsets().clone();
        }
      }
      case INFEASIBLE ->
          lowerBytes =
              Math.min(
                  upperBytes, Math.max(lowerBytes, Alignment.up(turn.capacity + 1, unitBytes)));
      case CUT -> {}
    }
  }
}
