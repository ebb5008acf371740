package dev.stowage.memory.device;

import java.util.Locale;

/**
 * Options for the regions that host memory takes from the operating system.
 *
 * <p>An expandable region reserves addresses. They take no memory. It reserves the smallest of:
 * {@link #reservedBytes()}, eight times the limit of its pool (at least 1 GiB), the memory and swap
 * of the machine, and an eighth of the remaining addresses. Each {@link HostMemory} has
 * 2<sup>44</sup> bytes of addresses, or half of the remainder of {@code ulimit -v} when it is
 * opened. Any number of pools can therefore have regions; later ones have more and smaller regions.
 * A region is never smaller than the request that it is made for.
 */
public final class HostMemoryOptions {

  private final long reservedBytes;
  private final boolean hugePages;

  private HostMemoryOptions(long reservedBytes, boolean hugePages) {
    this.reservedBytes = reservedBytes;
    this.hugePages = hugePages;
  }

  /** {@return regions that never grow} */
  public static HostMemoryOptions fixed() {
    return new HostMemoryOptions(0, false);
  }

  /** {@return regions that can grow to 256 GiB, or to the memory and swap of the machine} */
  public static HostMemoryOptions expandable() {
    return expandable(1L << 38);
  }

  /**
   * {@return regions that can grow}
   *
   * @param reservedBytes the most addresses that a region reserves; addresses take no memory
   * @throws IllegalArgumentException if {@code reservedBytes < 0}
   */
  public static HostMemoryOptions expandable(long reservedBytes) {
    if (reservedBytes < 0) {
      throw new IllegalArgumentException(
          "reservedBytes must not be negative: reservedBytes=" + reservedBytes);
    }
    return new HostMemoryOptions(reservedBytes, false);
  }

  /** {@return these options with huge pages, if the system has them} */
  public HostMemoryOptions withHugePages() {
    return new HostMemoryOptions(reservedBytes, true);
  }

  /** {@return the most addresses of a region; 0 if regions never grow} */
  public long reservedBytes() {
    return reservedBytes;
  }

  /** {@return true if the system is asked for huge pages} */
  public boolean isHugePages() {
    return hugePages;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "HostMemoryOptions[reservedBytes=%d, hugePages=%s]", reservedBytes, hugePages);
  }
}
