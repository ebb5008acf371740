package dev.stowage.plan.search;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The limits of a search, and the threads that it uses.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 *
 * @param timeLimit the most time of the search
 * @param capacityBytes the capacity; empty for the smallest plan
 * @param isCapacityDecision true to stop also if the lower bound exceeds the capacity
 * @param nodeLimit the number of nodes that the search may visit
 * @param threads the number of threads that search
 * @param progress the listener of progress
 */
public record SearchOptions(
    Duration timeLimit,
    OptionalLong capacityBytes,
    boolean isCapacityDecision,
    long nodeLimit,
    int threads,
    Consumer<SearchProgress> progress) {

  private static final SearchOptions DEFAULTS =
      new SearchOptions(
          Duration.ofSeconds(10), OptionalLong.empty(), false, Long.MAX_VALUE, 1, progress -> {});

  /**
   * Creates options; {@link #defaults} and the {@code with} methods describe them.
   *
   * @throws IllegalArgumentException if the time, the capacity or the nodes are negative, or {@code
   *     threads < 1}
   */
  public SearchOptions {
    if (timeLimit.isNegative()) {
      throw new IllegalArgumentException("timeLimit must not be negative: timeLimit=" + timeLimit);
    }
    if (capacityBytes.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "capacityBytes must not be negative: capacityBytes=" + capacityBytes.getAsLong());
    }
    if (nodeLimit < 0) {
      throw new IllegalArgumentException("nodeLimit must not be negative: nodeLimit=" + nodeLimit);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be positive: threads=" + threads);
    }
  }

  /**
   * {@return the defaults: ten seconds, no capacity, any number of nodes, one thread, and no
   * listener}
   */
  public static SearchOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these options with a time limit}
   *
   * @param limit the most time of the search, which then returns the best plan so far; not negative
   * @throws IllegalArgumentException if {@code limit < 0}
   */
  public SearchOptions withTimeLimit(Duration limit) {
    return new SearchOptions(
        limit, capacityBytes, isCapacityDecision, nodeLimit, threads, progress);
  }

  /**
   * {@return these options with a capacity}
   *
   * @param bytes the search stops at a plan of at most this size; if there is none, it continues to
   *     the smallest plan
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  public SearchOptions withCapacity(long bytes) {
    return new SearchOptions(
        timeLimit, OptionalLong.of(bytes), false, nodeLimit, threads, progress);
  }

  /**
   * {@return these options with a capacity, as a question: does any plan fit?}
   *
   * <p>The search also stops when its lower bound exceeds the capacity. Its plan may then be larger
   * than necessary. For a search for objects, this is {@link #withCapacity(long)}.
   *
   * @param bytes the capacity
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  public SearchOptions withCapacityDecision(long bytes) {
    return new SearchOptions(timeLimit, OptionalLong.of(bytes), true, nodeLimit, threads, progress);
  }

  /**
   * {@return these options with a limit of nodes}
   *
   * <p>A search that ends with this limit has the same result on every machine.
   *
   * @param nodes the approximate number of nodes to visit; at 0, only strategies plan
   * @throws IllegalArgumentException if {@code nodes < 0}
   */
  public SearchOptions withNodeLimit(long nodes) {
    return new SearchOptions(
        timeLimit, capacityBytes, isCapacityDecision, nodes, threads, progress);
  }

  /**
   * {@return these options with a number of threads}
   *
   * @param count at 1, the thread that runs the search does all work; above, the search starts and
   *     ends this many threads. A search for objects uses one
   * @throws IllegalArgumentException if {@code count < 1}
   */
  public SearchOptions withThreads(int count) {
    return new SearchOptions(
        timeLimit, capacityBytes, isCapacityDecision, nodeLimit, count, progress);
  }

  /**
   * {@return these options with a listener}
   *
   * @param listener receives the state of a search for offsets from time to time, in the thread
   *     that runs the search
   */
  public SearchOptions withProgress(Consumer<SearchProgress> listener) {
    return new SearchOptions(
        timeLimit, capacityBytes, isCapacityDecision, nodeLimit, threads, listener);
  }
}
