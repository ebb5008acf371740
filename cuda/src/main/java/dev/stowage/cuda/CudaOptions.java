package dev.stowage.cuda;

/**
 * How regions are taken from a device.
 *
 * @param reservedBytes how many addresses a region keeps for its growth, where it is smaller; 0 for
 *     regions that never grow
 * @param granuleBytes what regions grow and shrink by, rounded up to what the device can; each
 *     granule is a mapping of its own, which takes the driver microseconds
 */
public record CudaOptions(long reservedBytes, long granuleBytes) {

  /**
   * Options that a device can be opened with.
   *
   * @throws IllegalArgumentException if {@code reservedBytes < 0}, or {@code granuleBytes} is no
   *     power of two
   */
  public CudaOptions {
    if (reservedBytes < 0) {
      throw new IllegalArgumentException(
          "a reservation is negative: reservedBytes=" + reservedBytes);
    }
    if (granuleBytes < 1 || Long.bitCount(granuleBytes) != 1) {
      throw new IllegalArgumentException(
          "a granule is no power of two: granuleBytes=" + granuleBytes);
    }
  }

  /** {@return regions that never grow, which every device has} */
  public static CudaOptions fixed() {
    return new CudaOptions(0, 1);
  }

  /** {@return regions that can grow to all the memory that the device has} */
  public static CudaOptions expandable() {
    return expandable(Long.MAX_VALUE);
  }

  /**
   * {@return regions that can grow, by the smallest granules that the device has}
   *
   * @param reservedBytes how large, but no larger than the device's memory; addresses, which cost
   *     no memory
   * @throws IllegalArgumentException as the constructor
   */
  public static CudaOptions expandable(long reservedBytes) {
    return new CudaOptions(reservedBytes, 1);
  }

  /**
   * {@return these options with larger granules, which cost less time and more memory}
   *
   * @param newGranuleBytes what regions grow and shrink by; a power of two
   * @throws IllegalArgumentException as the constructor
   */
  public CudaOptions withGranuleBytes(long newGranuleBytes) {
    return new CudaOptions(reservedBytes, newGranuleBytes);
  }
}
