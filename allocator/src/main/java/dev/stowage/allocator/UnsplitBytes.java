package dev.stowage.allocator;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The bytes of chunks in use beyond their rounded requests.
 *
 * @param rests the bytes of each chunk that has some, in descending order
 */
record UnsplitBytes(List<Long> rests) {

  static UnsplitBytes of(RegionSpace space) {
    ChunkTable chunks = space.chunks();
    return new UnsplitBytes(
        space.tiled().slotsInUse().stream()
            .map(slot -> chunks.bytes(slot) - Quantum.roundedBytes(chunks.requestedBytes(slot)))
            .filter(rest -> rest > 0)
            .sorted(Comparator.reverseOrder())
            .toList());
  }

  long sum() {
    return rests.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * {@return the smallest of the largest rests that together have {@code bytes}; empty if all rests
   * have fewer}
   */
  OptionalLong leastOf(long bytes) {
    long sum = 0;
    for (long rest : rests) {
      sum += rest;
      if (sum >= bytes) {
        return OptionalLong.of(rest);
      }
    }
    return OptionalLong.empty();
  }
}
