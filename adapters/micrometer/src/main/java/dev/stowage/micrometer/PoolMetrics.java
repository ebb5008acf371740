package dev.stowage.micrometer;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.MonitoredAllocator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of an allocator or a pool, with names that start with {@code stowage.pool}.
 *
 * <pre>{@code
 * PoolMetrics metrics = PoolMetrics.of(pool).withMaxTags(50);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Every meter has the tag {@code pool}, the name of the pool, which must be unique in a
 * registry. {@code stowage.pool.held} and {@code stowage.pool.held.allocations} also have the tag
 * {@code tag}: the {@linkplain AllocationTag tag} of the allocations, or {@code (none)}. The number
 * of different tags is bounded. The first tags that the metrics find, the largest first, get meters
 * of their own. The meter {@code (others)} has the sum of all other tags, of tags that the last
 * report has found, and of the free slots of chunks for small allocations.
 *
 * <p>Most meters read counters of the allocator. The meters with the tag {@code tag} and {@code
 * stowage.pool.used}, {@code requested}, {@code chunks} and {@code tags} share a report, at most
 * once per second, so that their sums agree. A report walks over all chunks and finds new tags.
 */
public final class PoolMetrics implements MeterBinder, AutoCloseable {

  private static final int MAX_TAGS = 20;
  private static final int ALL_NAMES = Integer.MAX_VALUE;

  private final MonitoredAllocator pool;
  private final int maxTags;
  private final int tagDepth;

  /** The meters of each registry. */
  private final List<BoundMeters> bound = new ArrayList<>();

  private PoolMetrics(MonitoredAllocator pool, int maxTags, int tagDepth) {
    this.pool = pool;
    this.maxTags = maxTags;
    this.tagDepth = tagDepth;
  }

  /**
   * {@return the metrics of a pool, with at most 20 tags}
   *
   * @param pool the pool or allocator
   */
  public static PoolMetrics of(MonitoredAllocator pool) {
    return new PoolMetrics(pool, MAX_TAGS, ALL_NAMES);
  }

  /**
   * {@return unbound metrics with another bound for the number of tags}
   *
   * @param newMaxTags the number of tags with meters of their own
   * @throws IllegalArgumentException if {@code newMaxTags < 0}
   */
  public PoolMetrics withMaxTags(int newMaxTags) {
    if (newMaxTags < 0) {
      throw new IllegalArgumentException("maxTags must not be negative: maxTags=" + newMaxTags);
    }
    return new PoolMetrics(pool, newMaxTags, tagDepth);
  }

  /**
   * {@return unbound metrics that merge tags with the same first names}
   *
   * <p>With depth 1, the tags {@code search/query} and {@code search/index} become {@code search}.
   *
   * @param newTagDepth the number of names
   * @throws IllegalArgumentException if {@code newTagDepth < 1}
   */
  public PoolMetrics withTagDepth(int newTagDepth) {
    if (newTagDepth < 1) {
      throw new IllegalArgumentException("tagDepth must be positive: tagDepth=" + newTagDepth);
    }
    return new PoolMetrics(pool, maxTags, newTagDepth);
  }

  /**
   * Adds the meters to a registry. The registry refers to the pool until {@link #close()}.
   *
   * @param registry the registry
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    BoundMeters meters = new BoundMeters(registry, Tags.of("pool", pool.name()));
    synchronized (bound) {
      bound.add(meters);
    }
    TagMeters tags = new TagMeters(pool, meters, maxTags, tagDepth);
    bindSums(meters, tags);
    bindBytes(meters);
    bindShares(meters);
    bindCounts(meters);
    tags.bind();
  }

  /** Adds the meters that are sums of the meters with tags. */
  private static void bindSums(BoundMeters meters, TagMeters tags) {
    meters.add(
        Gauge.builder(BoundMeters.name("used"), tags, one -> one.statistics().bytesInUse())
            .baseUnit(BaseUnits.BYTES)
            .description("Bytes of the chunks in use, with rounding"));
    meters.add(
        Gauge.builder(
                BoundMeters.name("requested"), tags, one -> one.statistics().requestedBytesInUse())
            .baseUnit(BaseUnits.BYTES)
            .description("Bytes that callers requested and have not freed"));
    meters.add(
        Gauge.builder(BoundMeters.name("chunks"), tags, one -> one.statistics().chunksInUse())
            .description("Allocations that are not freed"));
  }

  private void bindBytes(BoundMeters meters) {
    bytes(
        meters,
        "reserved",
        "Bytes that the pool holds from the system or device",
        AllocatorStatistics::reservedBytes);
    bytes(meters, "peak", "Most bytes in use at any time", AllocatorStatistics::peakBytesInUse);
    bytes(
        meters,
        "largest.free",
        "Bytes of the largest free chunk",
        AllocatorStatistics::largestFreeChunkBytes);
    bytes(
        meters,
        "limit",
        "Most bytes that the pool may reserve; infinite without a limit",
        statistics ->
            statistics.limitBytes() == Long.MAX_VALUE
                ? Double.POSITIVE_INFINITY
                : statistics.limitBytes());
  }

  private void bytes(
      BoundMeters meters,
      String name,
      String description,
      ToDoubleFunction<AllocatorStatistics> value) {
    meters.add(
        Gauge.builder(BoundMeters.name(name), pool, one -> value.applyAsDouble(one.statistics()))
            .baseUnit(BaseUnits.BYTES)
            .description(description));
  }

  private void bindShares(BoundMeters meters) {
    String description =
        "External: 1 - largest free chunk / free bytes; internal: 1 - requested / used bytes";
    meters.add(
        Gauge.builder(
                BoundMeters.name("fragmentation"),
                pool,
                one -> one.statistics().externalFragmentation())
            .tag("kind", "external")
            .description(description));
    meters.add(
        Gauge.builder(
                BoundMeters.name("fragmentation"),
                pool,
                one -> one.statistics().internalFragmentation())
            .tag("kind", "internal")
            .description(description));
  }

  private void bindCounts(BoundMeters meters) {
    meters.add(
        FunctionCounter.builder(
                BoundMeters.name("allocations"), pool, one -> one.statistics().allocations())
            .description("Requests that were granted"));
    meters.add(
        FunctionCounter.builder(
                BoundMeters.name("failures"), pool, MonitoredAllocator::failedRequests)
            .description("Requests that failed for lack of memory"));
  }

  /** Removes the meters from all registries. */
  @Override
  public void close() {
    synchronized (bound) {
      bound.forEach(BoundMeters::removeAll);
      bound.clear();
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PoolMetrics[pool=%s, maxTags=%d, tagDepth=%s]",
        pool.name(),
        maxTags,
        tagDepth == ALL_NAMES ? "all" : tagDepth);
  }
}
