package dev.stowage.plan.shapes.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Orders of records with their totals for all compared shapes, and the best total of each shape.
 */
final class OrderPool {

  /** The number of orders that are kept. */
  private static final int MAX_ORDERS = 64;

  /** An order and its total for each shape. */
  static final class Scored {

    private final int[] order;
    private final long[] totals;

    private Scored(int[] order, long[] totals) {
      this.order = order;
      this.totals = totals;
    }

    /** {@return the order, which the caller does not change} */
    int[] order() {
      return order;
    }

    /** {@return the total of each shape, which the caller does not change} */
    long[] totals() {
      return totals;
    }
  }

  private final OrderFit fit;

  /** The sizes of all shapes, in blocks. */
  private final List<ShapeSizes> blocks;

  private final int shapes;
  private final long[] best;
  private final List<Scored> orders = new ArrayList<>();

  /**
   * Creates a pool without orders.
   *
   * @param blocks the sizes of all shapes, in blocks that fit into the caches
   */
  OrderPool(OrderFit fit, List<ShapeSizes> blocks) {
    this.fit = fit;
    this.blocks = List.copyOf(blocks);
    shapes = blocks.stream().mapToInt(ShapeSizes::shapeCount).sum();
    best = new long[shapes];
    Arrays.fill(best, Long.MAX_VALUE);
  }

  /** Adds an order, unless another one has the same totals, and updates the best totals. */
  Scored add(int[] order) {
    RecordStack stack = fit.stack(order);
    long[] totals = new long[shapes];
    int first = 0;
    for (ShapeSizes block : blocks) {
      long[] part = stack.totals(block);
      System.arraycopy(part, 0, totals, first, part.length);
      first += part.length;
    }
    for (int i = 0; i < shapes; i++) {
      best[i] = Math.min(best[i], totals[i]);
    }
    Scored scored = new Scored(order, totals);
    if (orders.stream().noneMatch(other -> Arrays.equals(other.totals, totals))) {
      orders.add(scored);
      if (orders.size() > MAX_ORDERS) {
        orders.remove(worst());
      }
    }
    return scored;
  }

  /** {@return the order with the largest average excess, among those that are not best anywhere} */
  private Scored worst() {
    Scored worst = orders.getLast();
    double most = -1;
    for (Scored scored : orders) {
      boolean isBestSomewhere = false;
      for (int i = 0; i < shapes; i++) {
        isBestSomewhere |= scored.totals[i] == best[i] && isOnlyBest(scored, i);
      }
      double average = averageExcess(scored.totals);
      if (!isBestSomewhere && average > most) {
        most = average;
        worst = scored;
      }
    }
    return worst;
  }

  private boolean isOnlyBest(Scored scored, int shape) {
    return orders.stream()
        .noneMatch(other -> other != scored && other.totals[shape] == best[shape]);
  }

  /** {@return the mean excess of some totals over the best ones} */
  double averageExcess(long[] totals) {
    double sum = 0;
    for (int i = 0; i < shapes; i++) {
      sum += Excess.of(totals[i], best[i]);
    }
    return sum / shapes;
  }

  double maximumExcess(long[] totals) {
    double maximum = 0;
    for (int i = 0; i < shapes; i++) {
      maximum = Math.max(maximum, Excess.of(totals[i], best[i]));
    }
    return maximum;
  }

  /** {@return the orders by average excess, then by maximum excess, the smallest first} */
  List<Scored> ranked() {
    List<Scored> ranked = new ArrayList<>(orders);
    ranked.sort((a, b) -> {
      int byAverage = Double.compare(averageExcess(a.totals), averageExcess(b.totals));
      return byAverage != 0
          ? byAverage
          : Double.compare(maximumExcess(a.totals), maximumExcess(b.totals));
    });
    return ranked;
  }

  List<Scored> orders() {
    return orders;
  }

  long best(int shape) {
    return best[shape];
  }
}
