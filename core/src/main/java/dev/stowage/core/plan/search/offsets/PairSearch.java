package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.base.Alignment;
import dev.stowage.core.plan.base.StepCounter;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Looks for offsets within a capacity by deciding, pair by pair, which record lies above the other.
 *
 * <p>Slower than a {@link PlacementSearch}, but it knows windows: with these, two records may need
 * each other's place in turn, so that neither is the lower one.
 */
final class PairSearch implements CapacitySearch {

  /*
   * For two records, the offset of the one less that of the other must not lie in some open
   * intervals, one for each two live ranges that share a task. Every record starts at the lowest
   * offset that what is decided leaves to it. If no two are in each other's way then, that is a
   * plan. Else a pair is, and the difference of its offsets has to leave the interval downwards or
   * upwards: two branches, each of which lifts one of the two records. There are finitely many
   * intervals, and none is decided twice on a path.
   *
   * Pairs are looked at row by row: row k has the pairs of the k-th largest record with larger ones.
   * All rows before that of the last decision were free of conflicts, so that only the pairs of
   * lifted records are looked at again there.
   *
   * A decision is an edge from the lower to the upper record. Offsets are the least that satisfy all
   * edges, and a new edge lifts in rounds: its upper record, then all that follows by other edges.
   * If its lower record is lifted by that, there is another round. Around a cycle of edges all of
   * whose alignments divide that of one record on it, that record gains the same in each round: if
   * anything, there is no end to it. So where each alignment divides the next larger one, a lift
   * that comes to an end passes a record once between two passes of any record of larger alignment,
   * and RoundLimits says after how many rounds there is no end. With one alignment, that is one.
   */

  private static final long FIRST_NODE_LIMIT = 2000;
  private static final double GROWTH = 1.5;
  private static final int NONE = -1;

  private final PairConflicts pairs;
  private final RoundLimits roundLimits;
  private final long[] offsets;
  private final long[] found;

  /** Records to be lifted from, as a ring, each at most once. */
  private final int[] queue;

  private final boolean[] isQueued;

  /** The last edge from each lower record. */
  private final int[] lastEdge;

  private Decisions decisions = new Decisions();

  /** Which records were lifted from which offsets, to go back. */
  private int[] liftedRecords = new int[16];

  private long[] liftedFrom = new long[16];
  private int liftCount;

  private long capacity;
  private long nodeLimit = FIRST_NODE_LIMIT;
  private long nodes;
  private StepCounter steps = new StepCounter(() -> false);

  /** Whether a branch was given up without a proof. */
  private boolean unproved;

  /** A search over pairs. */
  PairSearch(PairConflicts pairs) {
    this.pairs = pairs;
    roundLimits = RoundLimits.of(Arrays.copyOf(pairs.alignment, pairs.movableCount));
    offsets = new long[pairs.count()];
    found = new long[pairs.movableCount];
    queue = new int[pairs.count()];
    isQueued = new boolean[pairs.count()];
    lastEdge = new int[pairs.count()];
  }

  /** The decisions on the path, and the edges that they are; each has two branches. */
  private static final class Decisions {

    private int count;
    private int[] rows = new int[16];
    private int[] liftsBefore = new int[16];

    /** How many branches were begun. */
    private int[] branches = new int[16];

    /** Of both branches, in turn. */
    private int[] uppers = new int[32];

    private int[] lowers = new int[32];
    private long[] distances = new long[32];

    /** The edge before, from the same lower record. */
    private int[] edgesBefore = new int[16];

    int add(int row, int lifts) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, 2 * count);
        liftsBefore = Arrays.copyOf(liftsBefore, 2 * count);
        branches = Arrays.copyOf(branches, 2 * count);
        edgesBefore = Arrays.copyOf(edgesBefore, 2 * count);
        uppers = Arrays.copyOf(uppers, 4 * count);
        lowers = Arrays.copyOf(lowers, 4 * count);
        distances = Arrays.copyOf(distances, 4 * count);
      }
      rows[count] = row;
      liftsBefore[count] = lifts;
      branches[count] = 0;
      return count++;
    }

    void set(int decision, int branch, int upper, int lower, long distance) {
      uppers[2 * decision + branch] = upper;
      lowers[2 * decision + branch] = lower;
      distances[2 * decision + branch] = distance;
    }

    /** {@return the state of the branch begun last} */
    int branch(int decision) {
      return 2 * decision + branches[decision] - 1;
    }
  }

  @Override
  public Outcome next(long capacity, BooleanSupplier stop) {
    this.capacity = capacity;
    steps = new StepCounter(stop);
    unproved = false;
    decisions = new Decisions();
    liftCount = 0;
    Arrays.fill(lastEdge, NONE);
    System.arraycopy(pairs.least, 0, offsets, 0, offsets.length);
    long lastNode = nodes + nodeLimit;
    nodeLimit = (long) (nodeLimit * GROWTH);
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] > capacity - pairs.bytes[i]) {
        return Outcome.INFEASIBLE;
      }
    }
    return search(lastNode);
  }

  private Outcome search(long lastNode) {
    int row = 0;
    while (nodes < lastNode && !steps.isStopped(1)) {
      nodes++;
      boolean isDecided = decideFirstConflict(row);
      if (steps.isStopped(0)) {
        break;
      }
      if (!isDecided) {
        System.arraycopy(offsets, 0, found, 0, found.length);
        return Outcome.FOUND;
      }
      boolean isBegun = beginNextBranch();
      if (steps.isStopped(0)) {
        break;
      }
      if (!isBegun) {
        return unproved ? Outcome.CUT : Outcome.INFEASIBLE;
      }
      row = firstRowToLookAt();
    }
    return Outcome.CUT;
  }

  /** Adds a decision over the first pair in each other's way; {@return true if there is one} */
  private boolean decideFirstConflict(int fromRow) {
    for (int row = fromRow; row < pairs.movableCount; row++) {
      int record = pairs.bySize[row];
      for (int other : pairs.near[record]) {
        if (steps.isStopped(pairs.lookSteps(record))) {
          return false;
        }
        if (pairs.rank[other] < row && isInTheWay(other, record)) {
          decide(row, other, record);
          return true;
        }
      }
    }
    return false;
  }

  private boolean isInTheWay(int a, int b) {
    return pairs.isForbidden(a, b, offsets[b] - offsets[a]);
  }

  private void decide(int row, int first, int second) {
    long difference = offsets[second] - offsets[first];
    long[] interval = pairs.intervalAround(first, second, difference);
    int decision = decisions.add(row, liftCount);
    // The nearer end of the interval first.
    int firstUp = difference - interval[0] <= interval[1] - difference ? 0 : 1;
    decisions.set(decision, firstUp, first, second, -interval[0]);
    decisions.set(decision, 1 - firstUp, second, first, interval[1]);
  }

  /** Goes back to where a branch is left that stays below the capacity; {@return true if one is} */
  private boolean beginNextBranch() {
    while (decisions.count > 0) {
      int decision = decisions.count - 1;
      if (decisions.branches[decision] > 0) {
        lastEdge[decisions.lowers[decisions.branch(decision)]] = decisions.edgesBefore[decision];
        takeBackTo(decisions.liftsBefore[decision]);
      }
      if (decisions.branches[decision] == 2) {
        decisions.count--;
      } else {
        decisions.branches[decision]++;
        boolean isBelow = lift(decision);
        int lower = decisions.lowers[decisions.branch(decision)];
        decisions.edgesBefore[decision] = lastEdge[lower];
        lastEdge[lower] = decision;
        if (isBelow || steps.isStopped(0)) {
          return isBelow;
        }
      }
    }
    return false;
  }

  /** {@return the first row that may have a conflict after the last decision} */
  private int firstRowToLookAt() {
    int decision = decisions.count - 1;
    int row = decisions.rows[decision];
    for (int k = decisions.liftsBefore[decision]; k < liftCount; k++) {
      int record = liftedRecords[k];
      for (int other : pairs.near[record]) {
        int rowOfPair = Math.max(pairs.rank[record], pairs.rank[other]);
        if (rowOfPair < row && isInTheWay(other, record)) {
          row = rowOfPair;
        }
      }
      steps.isStopped((long) pairs.near[record].length * pairs.lookSteps(record));
    }
    return row;
  }

  /** Lifts what a new edge asks for; {@return true if all stays below the capacity} */
  private boolean lift(int decision) {
    int branch = decisions.branch(decision);
    int lower = decisions.lowers[branch];
    int upper = decisions.uppers[branch];
    for (long round = 1; ; round++) {
      long before = offsets[lower];
      if (!raise(upper, before + decisions.distances[branch]) || !liftAbove(upper)) {
        return false;
      }
      if (offsets[lower] == before) {
        return true;
      }
      if (round >= roundLimits.of(pairs.alignment[lower])) {
        unproved |= !roundLimits.areProved();
        return false;
      }
    }
  }

  /** Lifts what lies above a record by the edges that there are, first in, first out. */
  private boolean liftAbove(int record) {
    int head = 0;
    int count = 1;
    queue[0] = record;
    isQueued[record] = true;
    boolean isBelow = true;
    while (count > 0) {
      int lower = queue[head];
      head = (head + 1) % queue.length;
      count--;
      isQueued[lower] = false;
      for (int edge = lastEdge[lower]; isBelow && edge != NONE; ) {
        int branch = decisions.branch(edge);
        int upper = decisions.uppers[branch];
        long before = offsets[upper];
        isBelow = !steps.isStopped(8) && raise(upper, offsets[lower] + decisions.distances[branch]);
        if (offsets[upper] > before && !isQueued[upper]) {
          isQueued[upper] = true;
          queue[(head + count) % queue.length] = upper;
          count++;
        }
        edge = decisions.edgesBefore[edge];
      }
    }
    return isBelow;
  }

  /** Has a record start at an offset at least; {@return true if it stays below the capacity} */
  private boolean raise(int record, long offset) {
    if (offset <= offsets[record]) {
      return true;
    }
    long raised = Alignment.up(offset, pairs.alignment[record]);
    if (pairs.isPinned(record) || raised > capacity - pairs.bytes[record]) {
      return false;
    }
    if (liftCount == liftedRecords.length) {
      liftedRecords = Arrays.copyOf(liftedRecords, 2 * liftCount);
      liftedFrom = Arrays.copyOf(liftedFrom, 2 * liftCount);
    }
    liftedRecords[liftCount] = record;
    liftedFrom[liftCount++] = offsets[record];
    offsets[record] = raised;
    return true;
  }

  private void takeBackTo(int lifts) {
    while (liftCount > lifts) {
      liftCount--;
      offsets[liftedRecords[liftCount]] = liftedFrom[liftCount];
    }
  }

  @Override
  public long[] offsets() {
    return found;
  }

  @Override
  public long nodes() {
    return nodes;
  }
}
