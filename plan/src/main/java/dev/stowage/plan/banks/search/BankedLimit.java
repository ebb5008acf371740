package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.base.TimeLimit;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The limits of a search for banks: its time, its nodes and its cancellation. */
final class BankedLimit {

  private final LongSupplier nanoTime;
  private final long limitNanos;
  private final long nodeLimit;
  private long startNanos;
  private long nodes;
  private boolean over;
  private volatile boolean cancelled;
  private volatile @Nullable OffsetsSearch running;

  BankedLimit(SearchOptions options, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    limitNanos = TimeLimit.nanos(options.timeLimit());
    nodeLimit = options.nodeLimit();
  }

  void start() {
    startNanos = nanoTime.getAsLong();
  }

  /** Ends the search; any thread may call this. */
  void cancel() {
    cancelled = true;
    OffsetsSearch search = running;
    if (search != null) {
      search.cancel();
    }
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** {@return true if the time limit has passed or the search is cancelled} */
  boolean isOver() {
    over = over || cancelled || nanoTime.getAsLong() - startNanos >= limitNanos;
    return over;
  }

  /** {@return true if no node or no time is left} */
  boolean isSpent() {
    return nodes >= nodeLimit || isOver();
  }

  /** {@return the limit that ended the search} */
  BankedSearchEnd end() {
    if (isOver()) {
      return BankedSearchEnd.TIME_LIMIT;
    }
    return isSpent() ? BankedSearchEnd.NODE_LIMIT : BankedSearchEnd.NOT_EXHAUSTIVE;
  }

  /** Counts one decision. */
  void countNode() {
    nodes++;
  }

  /** Counts several decisions. */
  void countNodes(long count) {
    nodes += count;
  }

  long nodes() {
    return nodes;
  }

  long remainingNodes() {
    return Math.max(0, nodeLimit - nodes);
  }

  /** {@return the time that is left} */
  Duration remaining() {
    return Duration.ofNanos(Math.max(0, limitNanos - (nanoTime.getAsLong() - startNanos)));
  }

  /** Runs a search that {@link #cancel} cancels, too, and {@return its result} */
  SearchResult<OffsetsAssignment> run(OffsetsSearch search) {
    running = search;
    if (cancelled) {
      search.cancel();
    }
    SearchResult<OffsetsAssignment> result = search.run();
    running = null;
    nodes += result.nodes();
    return result;
  }
}
