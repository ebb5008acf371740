package dev.stowage.plan.shapes.search;

import java.time.Duration;
import java.util.Locale;

/**
 * The limits of a {@link LayoutSearch}, and the number of buckets.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class LayoutOptions {

  private static final LayoutOptions DEFAULTS =
      new LayoutOptions(Duration.ofSeconds(10), Long.MAX_VALUE, 1);

  private final Duration timeLimit;
  private final long nodeLimit;
  private final int buckets;

  private LayoutOptions(Duration timeLimit, long nodeLimit, int buckets) {
    this.timeLimit = timeLimit;
    this.nodeLimit = nodeLimit;
    this.buckets = buckets;
  }

  /** {@return the defaults: ten seconds, any number of nodes, and one bucket} */
  public static LayoutOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these options with a time limit}
   *
   * @param limit the time after which the search returns the best layouts so far; not negative
   * @throws IllegalArgumentException if {@code limit < 0}
   */
  public LayoutOptions withTimeLimit(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("timeLimit must not be negative: timeLimit=" + limit);
    }
    return new LayoutOptions(limit, nodeLimit, buckets);
  }

  /**
   * {@return these options with a limit of nodes}
   *
   * <p>A search that ends with this limit, and not with the time limit, has the same result on
   * every machine.
   *
   * @param nodes the approximate number of placements and orders to try; at 0, only strategies plan
   * @throws IllegalArgumentException if {@code nodes < 0}
   */
  public LayoutOptions withNodeLimit(long nodes) {
    if (nodes < 0) {
      throw new IllegalArgumentException("nodeLimit must not be negative: nodeLimit=" + nodes);
    }
    return new LayoutOptions(timeLimit, nodes, buckets);
  }

  /**
   * {@return these options with a number of buckets}
   *
   * @param count the number of layouts, each for a part of the shapes; from 1 to 64
   * @throws IllegalArgumentException if {@code count < 1} or {@code count > 64}
   */
  public LayoutOptions withBuckets(int count) {
    if (count < 1 || count > 64) {
      throw new IllegalArgumentException("buckets must be from 1 to 64: buckets=" + count);
    }
    return new LayoutOptions(timeLimit, nodeLimit, count);
  }

  /** {@return the time limit} */
  public Duration timeLimit() {
    return timeLimit;
  }

  /** {@return the number of nodes that the search may visit} */
  public long nodeLimit() {
    return nodeLimit;
  }

  /** {@return the number of buckets} */
  public int buckets() {
    return buckets;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "LayoutOptions[timeLimit=%s, nodeLimit=%d, buckets=%d]",
        timeLimit,
        nodeLimit,
        buckets);
  }
}
