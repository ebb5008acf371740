package dev.stowage.allocator;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The options of a {@link BfcAllocator}: how it grows, splits chunks and returns memory, and which
 * data it records.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class BfcOptions {

  /** The values, which no longer change. */
  private final Values values;

  /** The values of options, which change only before a {@link BfcOptions} has them. */
  private static final class Values {

    private long limitBytes = Long.MAX_VALUE;
    private RegionGrowth growth = RegionGrowth.DOUBLING;
    private long firstRegionBytes = 1 << 20;
    private long splitThresholdBytes = 128 << 20;
    private long trimThresholdBytes = Long.MAX_VALUE;
    private boolean hasGarbageCollection;
    private boolean hasStacks;
    private OptionalLong frontCacheBytes = OptionalLong.empty();
    private boolean hasTwoEnds;

    /** Creates the values of {@link BfcOptions#growing()}. */
    Values() {}

    Values(Values copied) {
      limitBytes = copied.limitBytes;
      growth = copied.growth;
      firstRegionBytes = copied.firstRegionBytes;
      splitThresholdBytes = copied.splitThresholdBytes;
      trimThresholdBytes = copied.trimThresholdBytes;
      hasGarbageCollection = copied.hasGarbageCollection;
      hasStacks = copied.hasStacks;
      frontCacheBytes = copied.frontCacheBytes;
      hasTwoEnds = copied.hasTwoEnds;
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if no allocator can have them
     */
    void check() {
      if (limitBytes < Quantum.BYTES) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "limitBytes must be at least %d, the smallest chunk: limitBytes=%d",
                Quantum.BYTES,
                limitBytes));
      }
      if (growth == RegionGrowth.ONE_REGION && limitBytes == Long.MAX_VALUE) {
        throw new IllegalArgumentException(
            "an allocator with one region needs a limit: limitBytes=" + limitBytes);
      }
      if (hasTwoEnds) {
        checkTwoEnds();
      }
      checkPositive("firstRegionBytes", firstRegionBytes);
      checkPositive("splitThresholdBytes", splitThresholdBytes);
      checkPositive("trimThresholdBytes", trimThresholdBytes);
      if (frontCacheBytes.orElse(0) < 0) {
        throw new IllegalArgumentException(
            "frontCacheBytes must not be negative: frontCacheBytes=" + frontCacheBytes.getAsLong());
      }
    }

    private void checkTwoEnds() {
      if (growth != RegionGrowth.ONE_REGION) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "two ends need one region, but growth=%s; use oneRegion(limitBytes)",
                growth));
      }
      if (frontCacheBytes.orElse(0) > 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "two ends and a front cache exclude each other: frontCacheBytes=%d",
                frontCacheBytes.getAsLong()));
      }
    }

    private static void checkPositive(String name, long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "%s must be positive: %s=%d", name, name, bytes));
      }
    }
  }

  private BfcOptions(Values values) {
    values.check();
    this.values = values;
  }

  /** {@return these options with changed values} */
  private BfcOptions with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new BfcOptions(changed);
  }

  /**
   * {@return the options of TensorFlow's allocator with growth: doubling regions, and a split of
   * each chunk with a rest of 128 MiB}
   *
   * <p>The first region has 1 MiB. TensorFlow starts with 2 MiB; {@link #withFirstRegion} sets it.
   */
  public static BfcOptions growing() {
    return new BfcOptions(new Values());
  }

  /**
   * {@return the options of TensorFlow's allocator without growth: one region as large as the
   * limit}
   *
   * @param limitBytes the size of the region
   * @throws IllegalArgumentException if {@code limitBytes < 256}, or is {@link Long#MAX_VALUE}
   */
  public static BfcOptions oneRegion(long limitBytes) {
    return growing()
        .with(changed -> {
          changed.limitBytes = limitBytes;
          changed.growth = RegionGrowth.ONE_REGION;
        });
  }

  /**
   * {@return the options for the least memory: one region that grows as needed, and a split of each
   * chunk with a rest of at least 64 KiB}
   */
  public static BfcOptions expandable() {
    return growing()
        .with(changed -> {
          changed.growth = RegionGrowth.EXPANDABLE;
          changed.splitThresholdBytes = 64 << 10;
        });
  }

  /**
   * {@return options for a share of a device's memory, as in TensorFlow}
   *
   * <p>A fraction is a fraction of all memory of the device, whether it is available or not.
   * Fraction 0 stands for the available memory minus {@link DeviceCapacity#systemReserveBytes()},
   * or for all available memory if it is not larger than that reserve. A fraction above 1 needs
   * unified memory.
   *
   * @param device the device, or its capacity
   * @param fraction the fraction to use, or 0
   * @param allowGrowth true to start with a small region and double it; false to take the whole
   *     share with the first request
   * @throws IllegalArgumentException if {@code fraction < 0}, {@code fraction > 1} and the memory
   *     is not unified, {@code availableBytes < 0}, {@code availableBytes > totalBytes}, or the
   *     share has less than 256 bytes
   */
  public static BfcOptions forDevice(DeviceCapacity device, double fraction, boolean allowGrowth) {
    checkFraction(fraction, device.isUnified());
    DeviceCapacity checked = DeviceCapacity.of(device.totalBytes(), device.availableBytes());
    long shareBytes =
        fraction == 0
            ? withoutReserve(checked.availableBytes(), device.systemReserveBytes())
            : (long) (checked.totalBytes() * fraction);
    return allowGrowth ? growing().withLimit(shareBytes) : oneRegion(shareBytes);
  }

  private static void checkFraction(double fraction, boolean isUnified) {
    if (!(fraction >= 0 && fraction < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("fraction must be 0 or more: fraction=" + fraction);
    }
    if (fraction > 1 && !isUnified) {
      throw new IllegalArgumentException(
          "a fraction above 1 needs unified memory, which this device does not have: fraction="
              + fraction);
    }
  }

  private static long withoutReserve(long availableBytes, long reserveBytes) {
    return reserveBytes < availableBytes ? availableBytes - reserveBytes : availableBytes;
  }

  /**
   * {@return these options with a limit}
   *
   * @param newLimitBytes the most bytes that the allocator may hold; {@link Long#MAX_VALUE} for no
   *     limit
   * @throws IllegalArgumentException if {@code newLimitBytes < 256}, or if it is {@link
   *     Long#MAX_VALUE} and {@link #growth()} is {@link RegionGrowth#ONE_REGION}
   */
  public BfcOptions withLimit(long newLimitBytes) {
    return with(changed -> changed.limitBytes = newLimitBytes);
  }

  /**
   * {@return these options with another first region}
   *
   * @param newFirstRegionBytes the size of the first region, if regions double
   * @throws IllegalArgumentException if {@code newFirstRegionBytes < 1}
   */
  public BfcOptions withFirstRegion(long newFirstRegionBytes) {
    return with(changed -> changed.firstRegionBytes = newFirstRegionBytes);
  }

  /**
   * {@return these options with another split threshold}
   *
   * @param newSplitThresholdBytes a chunk is split if the rest has this many bytes, or as many as
   *     the request
   * @throws IllegalArgumentException if {@code newSplitThresholdBytes < 1}
   */
  public BfcOptions withSplitThreshold(long newSplitThresholdBytes) {
    return with(changed -> changed.splitThresholdBytes = newSplitThresholdBytes);
  }

  /**
   * {@return these options with a trim threshold}
   *
   * <p>Returning memory and getting it again takes microseconds to milliseconds.
   *
   * @param newTrimThresholdBytes the free end of an expandable region is returned as soon as it has
   *     this many bytes; with {@link Long#MAX_VALUE}, only {@link BfcAllocator#trim()} returns it
   * @throws IllegalArgumentException if {@code newTrimThresholdBytes < 1}
   */
  public BfcOptions withTrimThreshold(long newTrimThresholdBytes) {
    return with(changed -> changed.trimThresholdBytes = newTrimThresholdBytes);
  }

  /**
   * {@return these options with garbage collection: free regions are returned to the sub-allocator
   * before a request fails}
   */
  public BfcOptions withGarbageCollection() {
    return with(changed -> changed.hasGarbageCollection = true);
  }

  /**
   * {@return these options with stacks: each allocation in use keeps the stack of its caller}
   *
   * <p>A stack takes about a microsecond and some hundred bytes.
   */
  public BfcOptions withStacks() {
    return with(changed -> changed.hasStacks = true);
  }

  /**
   * {@return these options with a front cache of freed chunks}
   *
   * <p>Later requests take chunks from the cache without the lock of the allocator, if their
   * rounded size is the size of the chunk or at most an eighth less.
   *
   * <p>The cache has several parts, and each thread uses one of them. A request takes a chunk of
   * its size from its part, or a chunk that is at most a seventh larger. The cache takes no chunk
   * with a larger unused rest. Addresses depend on the threads.
   *
   * <p>Chunks in the cache are free. Before a request waits or fails, and before {@link
   * BfcAllocator#trim()} and all reports and statistics, they return from the cache and are merged
   * with their free neighbours. The same happens before the allocator gets more memory, if there
   * were enough hits since the last time. Otherwise, the allocator may hold up to {@code maxBytes}
   * more than without a cache. {@link AllocatorStatistics#peakBytesInUse()} counts chunks in the
   * cache as in use. A free end of a region that is in the cache is not returned at the {@link
   * #trimThresholdBytes()}.
   *
   * <p>The allocator does not use the cache while a listener, stacks, or a recording of JDK Flight
   * Recorder with events of allocations or frees observe each allocation. It also does not use the
   * cache for requests through an {@link AllocationBudget}, and for alignments above 256.
   *
   * <p>A cache has at most 65,536 chunks, including the chunks that requests have taken from it. If
   * there would be more, it is emptied.
   *
   * <p>Without this option, an allocator has no front cache. A {@code MemoryPool} has a cache of 2
   * MiB for each of two stripes of a processor, or of a sixteenth of its bytes in use.
   *
   * @param maxBytes the most free bytes in the cache; 0 for no cache
   * @throws IllegalArgumentException if {@code maxBytes < 0}
   */
  public BfcOptions withFrontCache(long maxBytes) {
    return with(changed -> changed.frontCacheBytes = OptionalLong.of(maxBytes));
  }

  /**
   * {@return these options with requests from both ends of the region}
   *
   * <p>Requests to the allocator grow up from the lowest address. Requests to its {@linkplain
   * BfcAllocator#highEnd() high end} grow down from the highest address. Each end uses its own free
   * chunks and the gap between the ends. Its addresses therefore depend only on its own requests
   * and frees, until the gap is too small. This suits memory for long and for short uses, and
   * buffers that several processes need at equal offsets.
   *
   * <p>There is only one region. If the sub-allocator refuses a region of the size of the limit,
   * the region is smaller, and a later, higher limit has no effect on it.
   *
   * @throws IllegalArgumentException if {@link #growth()} is not {@link RegionGrowth#ONE_REGION},
   *     or the options have a front cache, with which addresses depend on threads
   */
  public BfcOptions withTwoEnds() {
    return with(changed -> changed.hasTwoEnds = true);
  }

  /** {@return the most bytes that the allocator may hold; {@link Long#MAX_VALUE} for no limit} */
  public long limitBytes() {
    return values.limitBytes;
  }

  /** {@return the way in which the allocator gets more memory} */
  public RegionGrowth growth() {
    return values.growth;
  }

  /** {@return the size of the first region, if regions double} */
  public long firstRegionBytes() {
    return values.firstRegionBytes;
  }

  /**
   * {@return the size of the rest from which a chunk is split; a chunk is also split if the rest is
   * as large as the request}
   *
   * <p>TensorFlow calls this {@code max_internal_fragmentation_bytes}, ONNX Runtime {@code
   * max_dead_bytes_per_chunk}.
   */
  public long splitThresholdBytes() {
    return values.splitThresholdBytes;
  }

  /** {@return the size from which the free end of an expandable region is returned at once} */
  public long trimThresholdBytes() {
    return values.trimThresholdBytes;
  }

  /** {@return true if free regions are returned before a request fails} */
  public boolean hasGarbageCollection() {
    return values.hasGarbageCollection;
  }

  /** {@return true if each allocation in use keeps the stack of its caller} */
  public boolean hasStacks() {
    return values.hasStacks;
  }

  /** {@return the most free bytes in the front cache; 0 if there is none, or the pool decides} */
  public long frontCacheBytes() {
    return values.frontCacheBytes.orElse(0);
  }

  /** {@return true if the options decide on a front cache} */
  boolean hasFrontCacheBytes() {
    return values.frontCacheBytes.isPresent();
  }

  /** {@return true if the region has two ends for requests} */
  public boolean hasTwoEnds() {
    return values.hasTwoEnds;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BfcOptions[limitBytes=%d, growth=%s, hasTwoEnds=%s, firstRegionBytes=%d, splitThresholdBytes=%d,"
            + " trimThresholdBytes=%d, hasGarbageCollection=%s, hasStacks=%s,"
            + " frontCacheBytes=%d]",
        values.limitBytes,
        values.growth,
        values.hasTwoEnds,
        values.firstRegionBytes,
        values.splitThresholdBytes,
        values.trimThresholdBytes,
        values.hasGarbageCollection,
        values.hasStacks,
        frontCacheBytes());
  }
}
