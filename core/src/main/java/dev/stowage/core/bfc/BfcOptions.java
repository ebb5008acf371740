package dev.stowage.core.bfc;

/**
 * How an allocator grows, splits and gives up.
 *
 * @param limitBytes how much it may hold from the sub-allocator; {@link Long#MAX_VALUE} for no
 *     limit
 * @param growth whether it starts with a small region and doubles, or takes one region of the limit
 * @param firstRegionBytes the first region's size, with growth
 * @param maxDeadBytes a chunk is split where the rest would be at least this, or at least the
 *     request
 * @param garbageCollection whether wholly free regions are given back before a request fails
 */
public record BfcOptions(
    long limitBytes,
    boolean growth,
    long firstRegionBytes,
    long maxDeadBytes,
    boolean garbageCollection) {

  /**
   * Options that an allocator can work with.
   *
   * @throws IllegalArgumentException if {@code limitBytes < 256}, {@code firstRegionBytes < 1},
   *     {@code maxDeadBytes < 1}, or there is neither growth nor a limit
   */
  public BfcOptions {
    if (limitBytes < ChunkTable.QUANTUM_BYTES) {
      throw new IllegalArgumentException(
          "a limit is below the smallest chunk: limitBytes=%d, smallest=%d"
              .formatted(limitBytes, ChunkTable.QUANTUM_BYTES));
    }
    if (firstRegionBytes < 1 || maxDeadBytes < 1) {
      throw new IllegalArgumentException(
          "sizes are positive: firstRegionBytes=%d, maxDeadBytes=%d"
              .formatted(firstRegionBytes, maxDeadBytes));
    }
    if (!growth && limitBytes == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "without growth there is one region of the limit, but there is no limit");
    }
  }

  /**
   * {@return what TensorFlow's allocator does with growth: regions from 1 MiB on, each twice the
   * last, chunks split where 128 MiB would be lost}
   */
  public static BfcOptions growing() {
    return new BfcOptions(Long.MAX_VALUE, true, 1 << 20, 128 << 20, false);
  }

  /**
   * {@return what TensorFlow's allocator does without growth: one region of the limit}
   *
   * @param limitBytes the region's size
   * @throws IllegalArgumentException if {@code limitBytes < 256}
   */
  public static BfcOptions oneRegion(long limitBytes) {
    return new BfcOptions(limitBytes, false, 1 << 20, 128 << 20, false);
  }

  /**
   * {@return these options with a limit}
   *
   * @param newLimitBytes how much the allocator may hold
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withLimit(long newLimitBytes) {
    return new BfcOptions(newLimitBytes, growth, firstRegionBytes, maxDeadBytes, garbageCollection);
  }

  /**
   * {@return these options with another first region}
   *
   * @param newFirstRegionBytes its size
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withFirstRegion(long newFirstRegionBytes) {
    return new BfcOptions(limitBytes, growth, newFirstRegionBytes, maxDeadBytes, garbageCollection);
  }

  /**
   * {@return these options with another split threshold}
   *
   * @param newMaxDeadBytes the rest from which on a chunk is split
   * @throws IllegalArgumentException as the constructor
   */
  public BfcOptions withMaxDeadBytes(long newMaxDeadBytes) {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, newMaxDeadBytes, garbageCollection);
  }

  /** {@return these options, giving wholly free regions back before a request fails} */
  public BfcOptions withGarbageCollection() {
    return new BfcOptions(limitBytes, growth, firstRegionBytes, maxDeadBytes, true);
  }
}
