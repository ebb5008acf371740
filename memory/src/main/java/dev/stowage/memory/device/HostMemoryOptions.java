package dev.stowage.memory.device;

/**
 * How host memory is taken from the operating system.
 *
 * @param reservedBytes how many addresses a region keeps for its growth, where it is smaller; 0 for
 *     regions that never grow
 * @param hugePages whether the system is asked for huge pages; it may not have them
 */
public record HostMemoryOptions(long reservedBytes, boolean hugePages) {

  /**
   * Options that host memory can be taken by.
   *
   * @throws IllegalArgumentException if {@code reservedBytes < 0}
   */
  public HostMemoryOptions {
    if (reservedBytes < 0) {
      throw new IllegalArgumentException(
          "a reservation is negative: reservedBytes=" + reservedBytes);
    }
  }

  /** {@return regions that never grow} */
  public static HostMemoryOptions fixed() {
    return new HostMemoryOptions(0, false);
  }

  /** {@return regions that can grow to 256 GiB} */
  public static HostMemoryOptions expandable() {
    return expandable(1L << 38);
  }

  /**
   * {@return regions that can grow}
   *
   * @param reservedBytes how large; addresses, which cost no memory
   * @throws IllegalArgumentException as the constructor
   */
  public static HostMemoryOptions expandable(long reservedBytes) {
    return new HostMemoryOptions(reservedBytes, false);
  }

  /** {@return these options, asking the system for huge pages} */
  public HostMemoryOptions withHugePages() {
    return new HostMemoryOptions(reservedBytes, true);
  }
}
