package dev.stowage.plan.shapes.search;

import dev.stowage.plan.search.SearchOptions;
import java.time.Duration;

/**
 * The limits of a {@link LayoutSearch}, and the number of buckets.
 *
 * @param limits the limits of time and of nodes: placements and orders; at 0 nodes, only strategies
 *     plan
 * @param buckets the number of layouts, each for a part of the shapes; from 1 to 64
 */
public record LayoutOptions(SearchOptions limits, int buckets) {

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if {@code buckets < 1} or {@code buckets > 64}
   */
  public LayoutOptions {
    if (buckets < 1 || buckets > 64) {
      throw new IllegalArgumentException("buckets must be from 1 to 64: buckets=" + buckets);
    }
  }

  /** {@return the defaults: ten seconds, any number of nodes, and one bucket} */
  public static LayoutOptions defaults() {
    return new LayoutOptions(SearchOptions.defaults(), 1);
  }

  /**
   * {@return these options with a time limit}
   *
   * @param limit as for {@link SearchOptions#withTimeLimit}
   */
  public LayoutOptions withTimeLimit(Duration limit) {
    return new LayoutOptions(limits.withTimeLimit(limit), buckets);
  }

  /**
   * {@return these options with a limit of nodes}
   *
   * @param nodes as for {@link SearchOptions#withNodeLimit}
   */
  public LayoutOptions withNodeLimit(long nodes) {
    return new LayoutOptions(limits.withNodeLimit(nodes), buckets);
  }

  /**
   * {@return these options with a number of buckets}
   *
   * @param count the number of layouts
   */
  public LayoutOptions withBuckets(int count) {
    return new LayoutOptions(limits, count);
  }
}
