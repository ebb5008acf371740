package dev.stowage.core.bfc;

import java.util.Locale;

/**
 * How an allocator grows, splits and gives up, and what it remembers.
 *
 * @param limitBytes how much it may hold from the sub-allocator; {@link Long#MAX_VALUE} for no
 *     limit
 * @param growth how it comes by more memory
 * @param firstRegionBytes the first region's size, where regions double
 * @param maxDeadBytes a chunk is split where the rest would be at least this, or at least the
 *     request
 * @param trimThresholdBytes the free end of an expandable region is given back as soon as it is at
 *     least this; {@link Long#MAX_VALUE} to leave that to {@link BfcAllocator#trim()}
 * @param garbageCollection whether wholly free regions are given back before a request fails
 * @param historyLength how many of the last events are kept; each takes some 50 bytes
 * @param stacks whether each allocation in use keeps the stack that it was asked for with; that
 *     takes a microsecond and hundreds of bytes each
 */
public record BfcOptions(
    long limitBytes,
    RegionGrowth growth,
    long firstRegionBytes,
    long maxDeadBytes,
    long trimThresholdBytes,
    boolean garbageCollection,
    int historyLength,
    boolean stacks) {

  /**
   * Options that an allocator can work with.
   *
   * @throws IllegalArgumentException if {@code limitBytes < 256}, {@code firstRegionBytes < 1},
   *     {@code maxDeadBytes < 1}, {@code trimThresholdBytes < 1}, {@code historyLength < 0}, or
   *     there is to be one region of a limit, but no limit
   */
  public BfcOptions {
    if (limitBytes < ChunkTable.QUANTUM_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a limit is below the smallest chunk: limitBytes=%d, smallest=%d",
              limitBytes,
              ChunkTable.QUANTUM_BYTES));
    }
    if (firstRegionBytes < 1 || maxDeadBytes < 1 || trimThresholdBytes < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sizes are positive: firstRegionBytes=%d, maxDeadBytes=%d, trimThresholdBytes=%d",
              firstRegionBytes,
              maxDeadBytes,
              trimThresholdBytes));
    }
    if (historyLength < 0) {
      throw new IllegalArgumentException(
          "a history has no negative length: historyLength=" + historyLength);
    }
    if (growth == RegionGrowth.ONE_REGION && limitBytes == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "without growth there is one region of the limit, but there is no limit");
    }
  }

  /**
   * {@return what TensorFlow's allocator does with growth: regions from 1 MiB on, each twice the
   * last, chunks split where 128 MiB would be lost}
   */
  public static BfcOptions growing() {
    return new BfcOptions(
        Long.MAX_VALUE, RegionGrowth.DOUBLING, 1 << 20, 128 << 20, Long.MAX_VALUE, false, 0, false);
  }

  /**
   * {@return what TensorFlow's allocator does without growth: one region of the limit}
   *
   * @param limitBytes the region's size
   * @throws IllegalArgumentException if {@code limitBytes < 256}, or is {@link Long#MAX_VALUE}
   */
  public static BfcOptions oneRegion(long limitBytes) {
    return new BfcOptions(
        limitBytes, RegionGrowth.ONE_REGION, 1 << 20, 128 << 20, Long.MAX_VALUE, false, 0, false);
  }

  /**
   * {@return one range of addresses that is as long as it has to be, and chunks split where 64 KiB
   * would be lost: what holds least}
   */
  public static BfcOptions expandable() {
    return new BfcOptions(
        Long.MAX_VALUE,
        RegionGrowth.EXPANDABLE,
        1 << 20,
        64 << 10,
        Long.MAX_VALUE,
        false,
        0,
        false);
  }

  /**
   * {@return options for a share of a device's memory, as TensorFlow has them}
   *
   * <p>A fraction is of all the memory that the device has. Fraction 0 is what is available now,
   * but for a reserve for the system: 225 MiB where less than 2 GiB is available, else 5 % of it
   * and at least 300 MiB; there is no reserve where all that is available is less.
   *
   * @param totalBytes how much memory the device has
   * @param availableBytes how much of it nobody uses
   * @param fraction which part to use, from 0 to 1
   * @param allowGrowth whether to start small and double, or to take all of it at once
   * @throws IllegalArgumentException if {@code fraction < 0}, {@code fraction > 1}, {@code
   *     availableBytes < 0}, {@code availableBytes > totalBytes}, or the share has less than 256
   *     bytes
   */
  public static BfcOptions forDevice(
      long totalBytes, long availableBytes, double fraction, boolean allowGrowth) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("a fraction is from 0 to 1: fraction=" + fraction);
    }
    if (availableBytes < 0) {
      throw new IllegalArgumentException(
          "less than nothing is available: availableBytes=" + availableBytes);
    }
    if (availableBytes > totalBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "more is available than there is: availableBytes=%d, totalBytes=%d",
              availableBytes,
              totalBytes));
    }
    long shareBytes =
        fraction == 0
            ? availableBytes - systemReserveBytes(availableBytes)
            : (long) (totalBytes * fraction);
    return allowGrowth ? growing().withLimit(shareBytes) : oneRegion(shareBytes);
  }

  private static long systemReserveBytes(long availableBytes) {
    long reserveBytes =
        availableBytes < 2L << 30 ? 225 << 20 : Math.max(300 << 20, availableBytes / 20);
    return reserveBytes < availableBytes ? reserveBytes : 0;
  }

  /**
   * {@return these options with a limit}
   *
   * @param newLimitBytes how much the allocator may hold
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withLimit(long newLimitBytes) {
    return new BfcOptions(
        newLimitBytes,
        growth,
        firstRegionBytes,
        maxDeadBytes,
        trimThresholdBytes,
        garbageCollection,
        historyLength,
        stacks);
  }

  /**
   * {@return these options with another first region}
   *
   * @param newFirstRegionBytes its size
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withFirstRegion(long newFirstRegionBytes) {
    return new BfcOptions(
        limitBytes,
        growth,
        newFirstRegionBytes,
        maxDeadBytes,
        trimThresholdBytes,
        garbageCollection,
        historyLength,
        stacks);
  }

  /**
   * {@return these options with another split threshold}
   *
   * @param newMaxDeadBytes the rest from which on a chunk is split
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withMaxDeadBytes(long newMaxDeadBytes) {
    return new BfcOptions(
        limitBytes,
        growth,
        firstRegionBytes,
        newMaxDeadBytes,
        trimThresholdBytes,
        garbageCollection,
        historyLength,
        stacks);
  }

  /**
   * {@return these options, giving the free end of an expandable region back at once}
   *
   * <p>What is given back has to be had from the device again, which takes it microseconds to
   * milliseconds.
   *
   * @param newTrimThresholdBytes the free end from which on that is done
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withTrimThreshold(long newTrimThresholdBytes) {
    return new BfcOptions(
        limitBytes,
        growth,
        firstRegionBytes,
        maxDeadBytes,
        newTrimThresholdBytes,
        garbageCollection,
        historyLength,
        stacks);
  }

  /** {@return these options, giving wholly free regions back before a request fails} */
  public BfcOptions withGarbageCollection() {
    return new BfcOptions(
        limitBytes,
        growth,
        firstRegionBytes,
        maxDeadBytes,
        trimThresholdBytes,
        true,
        historyLength,
        stacks);
  }

  /**
   * {@return these options with a history}
   *
   * @param newHistoryLength how many of the last events are kept
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withHistory(int newHistoryLength) {
    return new BfcOptions(
        limitBytes,
        growth,
        firstRegionBytes,
        maxDeadBytes,
        trimThresholdBytes,
        garbageCollection,
        newHistoryLength,
        stacks);
  }

  /** {@return these options, keeping the stack of each allocation in use} */
  public BfcOptions withStacks() {
    return new BfcOptions(
        limitBytes,
        growth,
        firstRegionBytes,
        maxDeadBytes,
        trimThresholdBytes,
        garbageCollection,
        historyLength,
        true);
  }
}
