package dev.stowage.core.plan;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * When an {@link OffsetsSearch} ends, and what it may use.
 *
 * @param timeLimit after this long the best plan so far is the answer
 * @param capacityBytes a plan within this many bytes is good enough; empty for the smallest plan
 * @param threads how many threads search, each of them started and ended by the search
 * @param progress is told now and then how far the search is, by the thread that runs it
 */
public record SearchOptions(
    Duration timeLimit,
    OptionalLong capacityBytes,
    int threads,
    Consumer<SearchProgress> progress) {

  /**
   * Options.
   *
   * @throws IllegalArgumentException if {@code timeLimit < 0}, {@code capacityBytes < 0} or {@code
   *     threads < 1}
   */
  public SearchOptions {
    if (timeLimit.isNegative()) {
      throw new IllegalArgumentException("a time limit is negative: timeLimit=" + timeLimit);
    }
    if (capacityBytes.isPresent() && capacityBytes.getAsLong() < 0) {
      throw new IllegalArgumentException(
          "a capacity is negative: capacityBytes=" + capacityBytes.getAsLong());
    }
    if (threads < 1) {
      throw new IllegalArgumentException("a search needs a thread: threads=" + threads);
    }
  }

  /** {@return ten seconds, the smallest plan, one thread, and nobody to tell} */
  public static SearchOptions defaults() {
    return new SearchOptions(Duration.ofSeconds(10), OptionalLong.empty(), 1, progress -> {});
  }

  /**
   * {@return these options with a time limit}
   *
   * @param limit not negative
   * @throws IllegalArgumentException if {@code limit < 0}
   */
  public SearchOptions withTimeLimit(Duration limit) {
    return new SearchOptions(limit, capacityBytes, threads, progress);
  }

  /**
   * {@return these options with a capacity that is good enough}
   *
   * @param bytes of the arena
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  public SearchOptions withCapacity(long bytes) {
    return new SearchOptions(timeLimit, OptionalLong.of(bytes), threads, progress);
  }

  /**
   * {@return these options with a number of threads}
   *
   * @param count of threads
   * @throws IllegalArgumentException if {@code count < 1}
   */
  public SearchOptions withThreads(int count) {
    return new SearchOptions(timeLimit, capacityBytes, count, progress);
  }

  /**
   * {@return these options with someone who is told how far the search is}
   *
   * @param listener is called by the thread that called {@link OffsetsSearch#run}
   */
  public SearchOptions withProgress(Consumer<SearchProgress> listener) {
    return new SearchOptions(timeLimit, capacityBytes, threads, listener);
  }
}
