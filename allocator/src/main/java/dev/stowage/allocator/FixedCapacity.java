package dev.stowage.allocator;

import java.util.Locale;

/** A capacity that does not change. */
record FixedCapacity(
    long totalBytes, long availableBytes, long systemReserveBytes, boolean isUnified)
    implements DeviceCapacity {

  FixedCapacity {
    check(totalBytes, availableBytes);
  }

  static void check(long totalBytes, long availableBytes) {
    if (availableBytes < 0 || availableBytes > totalBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "availableBytes must be from 0 to totalBytes: availableBytes=%d, totalBytes=%d",
              availableBytes,
              totalBytes));
    }
  }
}
