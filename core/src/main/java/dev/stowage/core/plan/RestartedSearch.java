package dev.stowage.core.plan;

import java.util.function.BooleanSupplier;

/**
 * One way to search a part: again and again from the start, each time in an order that learned from
 * the failures before, and a little longer.
 *
 * <p>How long a search takes hangs on its order more than on anything else: of many short searches
 * one is soon lucky where a long one is lost. As limits grow, each problem is searched through in
 * the end.
 */
final class RestartedSearch implements CapacitySearch {

  /** Limits of nodes: as many for each record, at least so many, and by how much they grow. */
  private static final int NODES_PER_RECORD = 8;

  private static final int LEAST_NODES = 2000;
  private static final double GROWTH = 1.03;

  private final ConflictPart part;
  private final RecordPriority priority;
  private final SectionWeights weights;
  private final PlacementSearch search;
  private double nodeLimit;
  private long nodes;

  RestartedSearch(ConflictPart part, RecordPriority priority) {
    this.part = part;
    this.priority = priority;
    weights = new SectionWeights(part);
    search = new PlacementSearch(part, weights);
    nodeLimit = Math.max(LEAST_NODES, NODES_PER_RECORD * (double) part.recordCount());
  }

  @Override
  public Outcome next(long capacity, BooleanSupplier stop) {
    weights.level();
    Outcome outcome =
        search.search(capacity, priority.order(part, weights), (long) nodeLimit, stop);
    nodes += search.nodes();
    nodeLimit *= GROWTH;
    // With windows, more may fit than it knows.
    return outcome == Outcome.INFEASIBLE && part.hasWindows ? Outcome.CUT : outcome;
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
