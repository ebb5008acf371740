package dev.stowage.plan.search.offsets;

import java.util.function.BooleanSupplier;

/**
 * A {@link PlacementSearch} in many runs. The failures of earlier runs determine the next order.
 *
 * <p>The time of a search depends mainly on the order of the records, so many short runs often
 * succeed where a long one does not. The node limits follow Luby, Sinclair and Zuckerman, "Optimal
 * Speedup of Las Vegas Algorithms" (1993): 1, 1, 2, 1, 1, 2, 4 and so on. For an unknown
 * distribution of run times, this is optimal up to a logarithmic factor. The limits are unbounded,
 * so that a run is exhaustive in the end.
 */
final class RestartedSearch implements CapacitySearch {

  /** The node limit of the first run, for each record. */
  private static final int FIRST_NODES_PER_RECORD = 40;

  /** The unit of the node limits of later runs, for each record. */
  private static final int NODES_PER_RECORD = 2;

  /** The smallest unit of the node limits. */
  private static final int MIN_NODES = 500;

  /** The growth of the unit with each run. */
  private static final double GROWTH = 1.005;

  private final Partition partition;
  private final RecordPriority priority;
  private final SectionWeights weights;
  private final PlacementSearch search;
  private final double baseNodes;
  private int searches;
  private long nodes;

  RestartedSearch(Partition partition, RecordPriority priority) {
    this.partition = partition;
    this.priority = priority;
    weights = new SectionWeights(partition);
    search = new PlacementSearch(partition, weights);
    baseNodes = Math.max(MIN_NODES, NODES_PER_RECORD * (double) partition.recordCount());
  }

  @Override
  public Outcome next(long capacity, BooleanSupplier stop) {
    weights.normalize();
    Outcome outcome =
        search.search(capacity, priority.order(partition, weights), nodeLimit(), stop);
    nodes += search.nodes();
    searches++;
    // The partition ignores windows, so plans that use them may exist.
    return outcome == Outcome.INFEASIBLE && partition.hasWindows ? Outcome.INCOMPLETE : outcome;
  }

  private long nodeLimit() {
    if (searches == 0) {
      return Math.max(MIN_NODES, (long) FIRST_NODES_PER_RECORD * partition.recordCount());
    }
    return (long) (baseNodes * Math.pow(GROWTH, searches) * luby(searches));
  }

  /** {@return a term of Luby's sequence; its first index is 1} */
  private static long luby(int index) {
    long longest = Long.highestOneBit(index + 1L);
    // Term 2^k - 1 is 2^(k - 1); the sequence then starts again.
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
