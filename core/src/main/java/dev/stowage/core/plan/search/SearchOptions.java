package dev.stowage.core.plan.search;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * When an {@link OffsetsSearch} or an {@link ObjectsSearch} ends, and what it may use.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class SearchOptions {

  private static final SearchOptions DEFAULTS =
      new SearchOptions(
          Duration.ofSeconds(10), OptionalLong.empty(), Long.MAX_VALUE, 1, progress -> {});

  private final Duration timeLimit;
  private final OptionalLong capacityBytes;
  private final long nodeLimit;
  private final int threads;
  private final Consumer<SearchProgress> progress;

  private SearchOptions(
      Duration timeLimit,
      OptionalLong capacityBytes,
      long nodeLimit,
      int threads,
      Consumer<SearchProgress> progress) {
    this.timeLimit = timeLimit;
    this.capacityBytes = capacityBytes;
    this.nodeLimit = nodeLimit;
    this.threads = threads;
    this.progress = progress;
  }

  /** {@return ten seconds, the smallest plan, any number of nodes, one thread, and no listener} */
  public static SearchOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these options with a time limit}
   *
   * @param limit after this long the best plan so far is the answer; not negative
   * @throws IllegalArgumentException if {@code limit < 0}
   */
  public SearchOptions withTimeLimit(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("a time limit is negative: timeLimit=" + limit);
    }
    return new SearchOptions(limit, capacityBytes, nodeLimit, threads, progress);
  }

  /**
   * {@return these options with a capacity}
   *
   * @param bytes a plan within this many bytes is good enough; if there is none, the search goes on
   *     to the smallest plan
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  public SearchOptions withCapacity(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a capacity is negative: capacityBytes=" + bytes);
    }
    return new SearchOptions(timeLimit, OptionalLong.of(bytes), nodeLimit, threads, progress);
  }

  /**
   * {@return these options with a limit of nodes}
   *
   * <p>A search that ends with this limit has the same answer on every machine.
   *
   * @param nodes about how many nodes to look at; at 0 only strategies plan
   * @throws IllegalArgumentException if {@code nodes < 0}
   */
  public SearchOptions withNodeLimit(long nodes) {
    if (nodes < 0) {
      throw new IllegalArgumentException("a limit of nodes is negative: nodeLimit=" + nodes);
    }
    return new SearchOptions(timeLimit, capacityBytes, nodes, threads, progress);
  }

  /**
   * {@return these options with a number of threads}
   *
   * @param count how many threads search offsets, each of them started and ended by the search
   * @throws IllegalArgumentException if {@code count < 1}
   */
  public SearchOptions withThreads(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("a search needs a thread: threads=" + count);
    }
    return new SearchOptions(timeLimit, capacityBytes, nodeLimit, count, progress);
  }

  /**
   * {@return these options with a listener}
   *
   * @param listener hears now and then how far a search of offsets is, in the thread that runs it
   */
  public SearchOptions withProgress(Consumer<SearchProgress> listener) {
    return new SearchOptions(timeLimit, capacityBytes, nodeLimit, threads, listener);
  }

  /** {@return the time limit of a search} */
  public Duration timeLimit() {
    return timeLimit;
  }

  /** {@return the bytes that are good enough; empty for the smallest plan} */
  public OptionalLong capacityBytes() {
    return capacityBytes;
  }

  /** {@return the number of nodes that a search may visit} */
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
}
