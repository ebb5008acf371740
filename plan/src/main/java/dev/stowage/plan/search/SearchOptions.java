package dev.stowage.plan.search;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The limits of a search, and the threads that it uses.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class SearchOptions {

  private static final SearchOptions DEFAULTS =
      new SearchOptions(
          Duration.ofSeconds(10), OptionalLong.empty(), false, Long.MAX_VALUE, 1, progress -> {});

  private final Duration timeLimit;
  private final OptionalLong capacityBytes;
  private final boolean isCapacityDecision;
  private final long nodeLimit;
  private final int threads;
  private final Consumer<SearchProgress> progress;

  private SearchOptions(
      Duration timeLimit,
      OptionalLong capacityBytes,
      boolean isCapacityDecision,
      long nodeLimit,
      int threads,
      Consumer<SearchProgress> progress) {
    this.timeLimit = timeLimit;
    this.capacityBytes = capacityBytes;
    this.isCapacityDecision = isCapacityDecision;
    this.nodeLimit = nodeLimit;
    this.threads = threads;
    this.progress = progress;
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
    if (limit.isNegative()) {
      throw new IllegalArgumentException("timeLimit must not be negative: timeLimit=" + limit);
    }
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
    return withCapacity(bytes, false);
  }

  /**
   * {@return these options with a capacity, as a question: does any plan fit?}
   *
   * <p>The search also stops when its lower bound exceeds the capacity. Its plan may then be larger
   * than necessary. A search for objects ignores the difference to {@link #withCapacity(long)}.
   *
   * @param bytes the capacity
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  public SearchOptions withCapacityDecision(long bytes) {
    return withCapacity(bytes, true);
  }

  private SearchOptions withCapacity(long bytes, boolean isDecision) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "capacityBytes must not be negative: capacityBytes=" + bytes);
    }
    return new SearchOptions(
        timeLimit, OptionalLong.of(bytes), isDecision, nodeLimit, threads, progress);
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
    if (nodes < 0) {
      throw new IllegalArgumentException("nodeLimit must not be negative: nodeLimit=" + nodes);
    }
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
    if (count < 1) {
      throw new IllegalArgumentException("threads must be positive: threads=" + count);
    }
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

  /** {@return the time limit} */
  public Duration timeLimit() {
    return timeLimit;
  }

  /** {@return the capacity; empty for the smallest plan} */
  public OptionalLong capacityBytes() {
    return capacityBytes;
  }

  /** {@return true if the search also stops when its lower bound exceeds the capacity} */
  public boolean isCapacityDecision() {
    return isCapacityDecision;
  }

  /** {@return the number of nodes that the search may visit} */
  public long nodeLimit() {
    return nodeLimit;
  }

  /** {@return the number of threads that search} */
  public int threads() {
    return threads;
  }

  /** {@return the listener of progress} */
  public Consumer<SearchProgress> progress() {
    return progress;
  }

  /** {@return the options without the listener} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "SearchOptions[timeLimit=%s, capacityBytes=%s, isCapacityDecision=%s, nodeLimit=%d,"
            + " threads=%d]",
        timeLimit,
        capacityBytes,
        isCapacityDecision,
        nodeLimit,
        threads);
  }
}
