package dev.stowage.memory.device;

/**
 * How host memory is taken from the operating system.
 *
 * <p>A region that can grow reserves addresses, which cost no memory, up to the smallest of: {@code
 * reservedBytes}, the limit of the pool that it belongs to, the machine's memory and swap, and an
 * eighth of the addresses that are left. Those are 2<sup>44</sup> bytes for each {@link
 * HostMemory}, or half of what {@code ulimit -v} leaves when it is opened. So there are addresses
 * for any number of pools; the later ones have more and smaller regions. A region is never smaller
 * than the request that it is made for.
 *
 * @param reservedBytes how many addresses a region reserves for its growth at most; 0 for regions
 *     that never grow
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

  /** {@return regions that can grow to 256 GiB, or to what memory and swap the machine has} */
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
