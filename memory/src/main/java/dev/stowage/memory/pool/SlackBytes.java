package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;

/**
 * The size of the slack after an allocation in debug mode, and its pattern: the bytes from the end
 * of the request up to a multiple of 256, at least 16.
 */
final class SlackBytes {

  /** The value of each byte that no caller has written to. */
  static final byte PATTERN = (byte) 0xFD;

  private static final long QUANTUM_BYTES = 256;
  private static final long LEAST_BYTES = 16;

  private SlackBytes() {}

  /** {@return the bytes to allocate for a request, so that slack follows it} */
  static long addTo(long bytes) {
    long slack = -bytes & (QUANTUM_BYTES - 1);
    return slack >= LEAST_BYTES || bytes > Long.MAX_VALUE - LEAST_BYTES
        ? bytes
        : bytes + LEAST_BYTES;
  }

  /** {@return the end of the slack of an allocation of {@link #addTo} bytes} */
  static long end(Allocation allocation) {
    return allocation.address()
        + (allocation.requestedBytes() + QUANTUM_BYTES - 1) / QUANTUM_BYTES * QUANTUM_BYTES;
  }
}
