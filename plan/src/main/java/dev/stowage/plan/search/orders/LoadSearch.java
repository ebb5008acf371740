package dev.stowage.plan.search.orders;

import dev.stowage.plan.incremental.OperatorGraph;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A search for an order of operators with the smallest load. */
public final class LoadSearch {

  /*
   * An order has the same load backwards: records then start with the last of their users and end with the
   * first. Two searches visit the sets of operators, one from the start and one from the end, in turn,
   * because often one of them needs far fewer sets. Each search skips sets by the bound and the best
   * order of the other one.
   *
   * If memory or time ends both, beam searches continue: they keep the best sets of equal numbers of
   * operators. The width of the beam doubles until the time is over.
   */

  /** The memory of the sets, beyond which the exact searches end. */
  private static final long MAX_SETS_BYTES = 256L << 20;

  private static final int FIRST_BEAM_WIDTH = 8;
  private static final int MAX_BEAM_WIDTH = 4096;

  private final OneWaySearch forward;
  private final List<OneWaySearch> searches;
  private final BooleanSupplier stop;

  /**
   * Creates a search that starts from the given order.
   *
   * @param graph the operators
   * @param bytes the sizes of the records
   * @param givenLoad the load of the given order of operators
   * @param stop true to end the search, and the computation of its first lower bound; called for
   *     each set
   */
  public LoadSearch(OperatorGraph graph, long[] bytes, long givenLoad, BooleanSupplier stop) {
    this.stop = stop;
    OperatorSets sets = OperatorSets.of(graph, bytes);
    long bound = Math.min(givenLoad, sets.lowerBoundBytes(stop));
    int[] order = IntStream.range(0, graph.operatorCount()).toArray();
    long maxBytes = MAX_SETS_BYTES / 2;
    forward = new OneWaySearch(sets, order, givenLoad, bound, maxBytes, stop);
    // Backwards, an input that nothing uses would belong to the last operator of an order.
    searches =
        sets.hasUnusedInputs()
            ? List.of(forward)
            : List.of(
                forward,
                new OneWaySearch(
                    OperatorSets.backward(graph, bytes),
                    reversed(order),
                    givenLoad,
                    bound,
                    maxBytes,
                    stop));
  }

  /** {@return the operators in the best order found} */
  public int[] order() {
    return forward.order();
  }

  /** {@return the load of the best order found} */
  public long loadBytes() {
    return forward.loadBytes();
  }

  /** {@return the proved lower bound of the loads of all orders} */
  public long lowerBoundBytes() {
    return forward.lowerBoundBytes();
  }

  /** Searches until an order is optimal, or until the search is stopped. */
  public void run() {
    // A small load ends many branches of the exact searches. The first search takes the least time.
    for (int width = 1; width <= FIRST_BEAM_WIDTH && !isDone(); width *= FIRST_BEAM_WIDTH) {
      forward.searchBeam(width);
      share(forward);
    }
    boolean isOpen = true;
    while (isOpen && !isDone() && !stop.getAsBoolean()) {
      isOpen = false;
      for (OneWaySearch search : searches) {
        isOpen |= search.visitNext();
        share(search);
      }
    }
    for (int width = 2 * FIRST_BEAM_WIDTH;
        width <= MAX_BEAM_WIDTH && !isDone() && !stop.getAsBoolean();
        width *= 2) {
      searchBeams(width);
    }
  }

  private boolean isDone() {
    return loadBytes() <= lowerBoundBytes();
  }

  private void searchBeams(int width) {
    for (OneWaySearch search : searches) {
      if (!isDone()) {
        search.searchBeam(width);
        share(search);
      }
    }
  }

  /** Lets all searches know the best order and bound of one of them. */
  private void share(OneWaySearch found) {
    for (OneWaySearch search : searches) {
      if (search != found
          && (found.loadBytes() < search.loadBytes()
              || found.lowerBoundBytes() > search.lowerBoundBytes())) {
        search.learn(reversed(found.order()), found.loadBytes(), found.lowerBoundBytes());
      }
    }
  }

  private static int[] reversed(int[] order) {
    return IntStream.range(0, order.length).map(i -> order[order.length - 1 - i]).toArray();
  }
}
