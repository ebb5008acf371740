package dev.stowage.core.plan.search.offsets;

import java.util.function.BooleanSupplier;

/**
 * One way to search a part: again and again from the start, each time in an order that learned from
 * the failures before.
 *
 * <p>How long a search takes hangs on its order more than on anything else: of many short searches
 * one is soon lucky where a long one is lost. How long each may take follows Luby, Sinclair and
 * Zuckerman, "Optimal speedup of Las Vegas algorithms" (1993): 1, 1, 2, 1, 1, 2, 4 and so on, which
 * is right, to a small factor, whatever the luck. So some have the time to search through
 * everything.
 */
final class RestartedSearch implements CapacitySearch {

  /** How long the first search may take, in the order that has learned nothing, in nodes. */
  private static final int FIRST_NODES_PER_RECORD = 40;

  /** The shortest search after it: for each record, and at least; and how it grows. */
  private static final int NODES_PER_RECORD = 2;

  private static final int LEAST_NODES = 500;
  private static final double GROWTH = 1.005;

  private final Partition part;
  private final RecordPriority priority;
  private final SectionWeights weights;
  private final PlacementSearch search;
  private final double shortestNodes;
  private int searches;
  private long nodes;

  RestartedSearch(Partition part, RecordPriority priority) {
    this.part = part;
    this.priority = priority;
    weights = new SectionWeights(part);
    search = new PlacementSearch(part, weights);
    shortestNodes = Math.max(LEAST_NODES, NODES_PER_RECORD * (double) part.recordCount());
  }

  @Override
  public Outcome next(long capacity, BooleanSupplier stop) {
    weights.level();
    Outcome outcome = search.search(capacity, priority.order(part, weights), nodeLimit(), stop);
    nodes += search.nodes();
    searches++;
    // With windows, more may fit than it knows.
    return outcome == Outcome.INFEASIBLE && part.hasWindows ? Outcome.CUT : outcome;
  }

  private long nodeLimit() {
    if (searches == 0) {
      return Math.max(LEAST_NODES, (long) FIRST_NODES_PER_RECORD * part.recordCount());
    }
    return (long) (shortestNodes * Math.pow(GROWTH, searches) * luby(searches));
  }

  /** {@return a term of the sequence, from 1 on} */
  private static long luby(int index) {
    long longest = Long.highestOneBit(index + 1L);
    // After 2^k - 1 terms, the last of them 2^(k - 1), all of them follow once more.
    return longest == index + 1L ? longest / 2 : luby((int) (index - longest + 1));
  }

  @Override
  public long[] offsets() {
    return search.offsets();
  }

  @Override
  public long nodes() {
    return nodes;
  }
}
