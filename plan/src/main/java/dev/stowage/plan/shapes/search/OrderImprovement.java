package dev.stowage.plan.shapes.search;

import java.util.Arrays;
import java.util.Random;

/**
 * A local search for orders with a smaller total over some shapes at once.
 *
 * <p>A step moves a record of a critical path, which is a chain of records from the bottom to the
 * top of the arena, before the record below it or elsewhere. Steps are accepted by late acceptance:
 * if the new order is not worse than the current one, or than the one of some steps before (Burke
 * and Bykov, The late acceptance hill-climbing heuristic, 2017).
 */
final class OrderImprovement {

  /** The number of shapes for which a step is quick. */
  static final int MAX_SHAPES = 24;

  /** The number of steps without progress that end the search, for each record. */
  private static final long PATIENCE_PER_RECORD = 100;

  /** The number of steps after which a worse order may be accepted. */
  private static final int HISTORY = 500;

  private final OrderFit fit;

  private final ShapeSizes sizes;

  /** The total of each shape that has no excess. */
  private final long[] references;

  /** The weight of each shape's excess. */
  private final double[] weights;

  private final SearchBudget budget;
  private final Random random = new Random(1);

  OrderImprovement(
      OrderFit fit, ShapeSizes sizes, long[] references, double[] weights, SearchBudget budget) {
    this.fit = fit;
    this.sizes = sizes;
    this.references = references;
    this.weights = weights;
    this.budget = budget;
  }

  /**
   * {@return the best order found}
   *
   * <p>The search ends after 100 steps for each record without a better order.
   *
   * @param start the order to start from
   * @param part the part of the budget that ends the search
   */
  int[] improve(int[] start, double part) {
    long patience = PATIENCE_PER_RECORD * start.length;
    int[] current = start.clone();
    RecordStack stack = fit.stack(current);
    long[] totals = stack.totals(sizes);
    double score = score(totals);
    int[] best = current.clone();
    double bestScore = score;
    double[] history = new double[HISTORY];
    Arrays.fill(history, score);
    long lastBetter = 0;
    for (long step = 0; step - lastBetter < patience && bestScore > 0; step++) {
      if (step % 16 == 0) {
        budget.spend(16);
        if (budget.isOver(part)) {
          break;
        }
      }
      int[] next = moved(current, stack, totals);
      RecordStack nextStack = fit.stack(next);
      long[] nextTotals = nextStack.totals(sizes);
      double nextScore = score(nextTotals);
      int slot = (int) (step % HISTORY);
      if (nextScore <= score || nextScore <= history[slot]) {
        current = next;
        stack = nextStack;
        totals = nextTotals;
        score = nextScore;
        if (score < bestScore) {
          bestScore = score;
          lastBetter = step;
          best = current.clone();
        }
      }
      history[slot] = score;
    }
    return best;
  }

  /** {@return equal weights} */
  static double[] weights(int count, double weight) {
    double[] weights = new double[count];
    Arrays.fill(weights, weight);
    return weights;
  }

  double score(long[] totals) {
    double score = 0;
    for (int i = 0; i < totals.length; i++) {
      score += weights[i] * Excess.of(totals[i], references[i]);
    }
    return score;
  }

  private int[] moved(int[] order, RecordStack stack, long[] totals) {
    if (order.length < 2) {
      return order;
    }
    int shape = shapeWithExcess(totals);
    int[] path = stack.criticalPath(sizes.ofShape(shape));
    int from;
    int to;
    if (path.length > 1 && random.nextInt(8) > 0) {
      int upper = random.nextInt(path.length - 1);
      int high = path[upper];
      int low = path[upper + 1];
      switch (random.nextInt(4)) {
        case 0 -> {
          from = high;
          to = low;
        }
        case 1 -> {
          from = low;
          to = high;
        }
        case 2 -> {
          from = high;
          to = random.nextInt(high + 1);
        }
        default -> {
          from = low;
          to = low + random.nextInt(order.length - low);
        }
      }
    } else {
      from = random.nextInt(order.length);
      to = random.nextInt(order.length);
    }
    int[] next = order.clone();
    int record = next[from];
    if (from < to) {
      System.arraycopy(next, from + 1, next, from, to - from);
    } else {
      System.arraycopy(next, to, next, to + 1, from - to);
    }
    next[to] = record;
    return next;
  }

  /** {@return a random shape, of those with an excess if there are any} */
  private int shapeWithExcess(long[] totals) {
    for (int trial = 0; trial < 8; trial++) {
      int shape = random.nextInt(totals.length);
      if (totals[shape] > references[shape]) {
        return shape;
      }
    }
    return random.nextInt(totals.length);
  }
}
