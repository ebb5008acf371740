package dev.stowage.tflite.micro;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The memory regions that an application gives to TensorFlow Lite Micro for decompressed constants.
 *
 * <p>Each operator has all regions. A constant follows the constants before it, in the first region
 * with enough memory. Source: {@code AllocateDecompressionMemory} in {@code micro_context.cc} of
 * tflite-micro, 2026-08. The addresses of regions are multiples of the alignment.
 */
final class DecompressionMemory {

  /** A place in a region; both offsets are in bytes. */
  record Place(int region, long start, long end) {}

  private final List<Long> regionBytes;
  private final long[] usedBytes;

  /**
   * Creates a memory.
   *
   * @param regionBytes the bytes of each region
   */
  DecompressionMemory(List<Long> regionBytes) {
    this.regionBytes = List.copyOf(regionBytes);
    usedBytes = new long[regionBytes.size()];
  }

  /** Frees all regions for the next operator. */
  void startOperator() {
    Arrays.fill(usedBytes, 0);
  }

  /** {@return the place of a constant; empty if no region has enough memory} */
  Optional<Place> allocate(long bytes) {
    for (int i = 0; i < usedBytes.length; i++) {
      long start = MicroAlignment.roundedUp(usedBytes[i]);
      if (start <= regionBytes.get(i) && bytes <= regionBytes.get(i) - start) {
        usedBytes[i] = start + bytes;
        return Optional.of(new Place(i, start, usedBytes[i]));
      }
    }
    return Optional.empty();
  }
}
