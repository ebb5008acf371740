package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * A search for offsets within a capacity. For each pair of records, it decides the upper one.
 *
 * <p>It is slower than a {@link PlacementSearch}, but it supports windows. With windows, two
 * records may use the same bytes at different tasks, so neither lies wholly below the other.
 */
final class PairSearch implements CapacitySearch {

  /*
   * Each two live ranges of two records that share a task forbid an open interval of differences of
   * the two offsets. Every record lies at the lowest offset that the decisions so far permit. If no
   * pair has a forbidden difference, these offsets are a plan. Otherwise, the difference of one
   * such pair has to leave its interval downwards or upwards. These are the two branches of a
   * decision; each lifts one of the two records. There are finitely many intervals, and a path
   * decides each at most once.
   *
   * Pairs are tested row by row: row k has the pairs of the k-th largest record with larger ones.
   * The rows before the row of the last decision had no conflict. In these, only the pairs of
   * lifted records are tested again.
   *
   * The decisions are a system of difference constraints: each is an edge from the lower to the
   * upper record, and the offsets are the least solution. A new edge lifts its upper record, and
   * then, by other edges, the records above it. If this lifts its lower record, another round
   * follows. On a cycle of edges, if one record's alignment is a multiple of all others, that
   * record is lifted by the same number of bytes in each round. If that number is positive, the
   * rounds never end. So if each alignment divides the next larger one, a lift that ends passes a
   * record at most once between two passes of a record of larger alignment. RoundLimits derives the
   * number of rounds after which a lift never ends; with one alignment, this is one round.
   */

  private static final long FIRST_NODE_LIMIT = 2000;
  private static final double GROWTH = 1.5;
  private static final int NONE = -1;

  private final PairConflicts pairs;
  private final RoundLimits roundLimits;
  private final long[] offsets;
  private final long[] found;

  /** A ring buffer of lifted records with edges to follow, each record at most once. */
  private final int[] queue;

  private final boolean[] isQueued;

  /** The edge added last from each lower record. */
  private final int[] lastEdge;

  private Decisions decisions = new Decisions();

  /** The undo log: each lifted record. */
  private int[] liftedRecords = new int[16];

  /** The offset of each lifted record before the lift. */
  private long[] liftedFrom = new long[16];

  private int liftCount;

  private long capacity;
  private long nodeLimit = FIRST_NODE_LIMIT;
  private long nodes;
  private StepCounter steps = new StepCounter(() -> false);

  /** True if the search gave up a branch without a proof. */
  private boolean hasUnprovedBranch;

  PairSearch(PairConflicts pairs) {
    this.pairs = pairs;
    roundLimits = RoundLimits.of(Arrays.copyOf(pairs.alignment, pairs.movableCount));
    offsets = new long[pairs.count()];
    found = new long[pairs.movableCount];
    queue = new int[pairs.count()];
    isQueued = new boolean[pairs.count()];
    lastEdge = new int[pairs.count()];
  }

  /** The decisions on the current path, with the edges of their two branches. */
  private static final class Decisions {

    private int count;
    private int[] rows = new int[16];
    private int[] liftsBefore = new int[16];

    /** The number of branches begun. */
    private int[] branchesBegun = new int[16];

    /** The edges of both branches, alternating. */
    private int[] uppers = new int[32];

    private int[] lowers = new int[32];
    private long[] distances = new long[32];

    /** The previous edge from the same lower record: a linked list. */
    private int[] edgesBefore = new int[16];

    int add(int row, int lifts) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, 2 * count);
        liftsBefore = Arrays.copyOf(liftsBefore, 2 * count);
        branchesBegun = Arrays.copyOf(branchesBegun, 2 * count);
        edgesBefore = Arrays.copyOf(edgesBefore, 2 * count);
        uppers = Arrays.copyOf(uppers, 4 * count);
        lowers = Arrays.copyOf(lowers, 4 * count);
        distances = Arrays.copyOf(distances, 4 * count);
      }
      rows[count] = row;
      liftsBefore[count] = lifts;
      branchesBegun[count] = 0;
      return count++;
    }

    void set(int decision, int branch, int upper, int lower, long distance) {
      uppers[2 * decision + branch] = upper;
      lowers[2 * decision + branch] = lower;
      distances[2 * decision + branch] = distance;
    }

    /** {@return the edge of the branch begun last} */
    int branch(int decision) {
      return 2 * decision + branchesBegun[decision] - 1;
    }
  }

  @Override
  public Outcome next(long capacity, BooleanSupplier stop) {
    this.capacity = capacity;
    steps = new StepCounter(stop);
    hasUnprovedBranch = false;
    decisions = new Decisions();
    liftCount = 0;
    Arrays.fill(lastEdge, NONE);
    System.arraycopy(pairs.minOffsets, 0, offsets, 0, offsets.length);
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
        return hasUnprovedBranch ? Outcome.INCOMPLETE : Outcome.INFEASIBLE;
      }
      row = firstRowToCheck();
    }
    return Outcome.INCOMPLETE;
  }

  /** Adds a decision for the first conflicting pair and {@return true if there is one} */
  private boolean decideFirstConflict(int fromRow) {
    for (int row = fromRow; row < pairs.movableCount; row++) {
      int record = pairs.bySize[row];
      for (int other : pairs.conflicts[record]) {
        if (steps.isStopped(pairs.stepsPerPair(record))) {
          return false;
        }
        if (pairs.rank[other] < row && conflict(other, record)) {
          decide(row, other, record);
          return true;
        }
      }
    }
    return false;
  }

  /** {@return true if two records overlap at their current offsets} */
  private boolean conflict(int a, int b) {
    return pairs.isForbidden(a, b, offsets[b] - offsets[a]);
  }

  /** Adds a decision for a pair with a forbidden difference. */
  private void decide(int row, int first, int second) {
    long difference = offsets[second] - offsets[first];
    long[] interval = pairs.intervalAround(first, second, difference);
    int decision = decisions.add(row, liftCount);
    // The first branch goes to the nearer end of the interval.
    int firstUp = difference - interval[0] <= interval[1] - difference ? 0 : 1;
    decisions.set(decision, firstUp, first, second, -interval[0]);
    decisions.set(decision, 1 - firstUp, second, first, interval[1]);
  }

  /** Backtracks to the next branch within the capacity and {@return true if there is one} */
  private boolean beginNextBranch() {
    while (decisions.count > 0) {
      int decision = decisions.count - 1;
      if (decisions.branchesBegun[decision] > 0) {
        lastEdge[decisions.lowers[decisions.branch(decision)]] = decisions.edgesBefore[decision];
        undoLiftsTo(decisions.liftsBefore[decision]);
      }
      if (decisions.branchesBegun[decision] == 2) {
        decisions.count--;
      } else {
        decisions.branchesBegun[decision]++;
        boolean isWithinCapacity = lift(decision);
        int lower = decisions.lowers[decisions.branch(decision)];
        decisions.edgesBefore[decision] = lastEdge[lower];
        lastEdge[lower] = decision;
        if (isWithinCapacity || steps.isStopped(0)) {
          return isWithinCapacity;
        }
      }
    }
    return false;
  }

  /** {@return the first row that may have a conflict after the last decision} */
  private int firstRowToCheck() {
    int decision = decisions.count - 1;
    int row = decisions.rows[decision];
    for (int k = decisions.liftsBefore[decision]; k < liftCount; k++) {
      int record = liftedRecords[k];
      for (int other : pairs.conflicts[record]) {
        int rowOfPair = Math.max(pairs.rank[record], pairs.rank[other]);
        if (rowOfPair < row && conflict(other, record)) {
          row = rowOfPair;
        }
      }
      steps.isStopped((long) pairs.conflicts[record].length * pairs.stepsPerPair(record));
    }
    return row;
  }

  /** Satisfies a new edge and {@return true if all records stay within the capacity} */
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
        hasUnprovedBranch |= !roundLimits.areProved();
        return false;
      }
    }
  }

  /**
   * Satisfies the edges from a lifted record, first in, first out, and {@return true if all records
   * stay within the capacity}
   */
  private boolean liftAbove(int record) {
    int head = 0;
    int count = 1;
    queue[0] = record;
    isQueued[record] = true;
    boolean isWithinCapacity = true;
    while (count > 0) {
      int lower = queue[head];
      head = (head + 1) % queue.length;
      count--;
      isQueued[lower] = false;
      for (int edge = lastEdge[lower]; isWithinCapacity && edge != NONE; ) {
        int branch = decisions.branch(edge);
        int upper = decisions.uppers[branch];
        long before = offsets[upper];
        isWithinCapacity =
            !steps.isStopped(8) && raise(upper, offsets[lower] + decisions.distances[branch]);
        if (offsets[upper] > before && !isQueued[upper]) {
          isQueued[upper] = true;
          queue[(head + count) % queue.length] = upper;
          count++;
        }
        edge = decisions.edgesBefore[edge];
      }
    }
    return isWithinCapacity;
  }

  /** Lifts a record to an offset or above and {@return true if it stays within the capacity} */
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

  private void undoLiftsTo(int lifts) {
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
