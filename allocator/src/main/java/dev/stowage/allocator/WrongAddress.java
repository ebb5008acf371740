package dev.stowage.allocator;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An address at which no allocation starts, and its surroundings at that moment.
 *
 * @param address the address
 * @param space a copy of the space; empty if it was too large to be copied at once
 */
record WrongAddress(long address, Optional<RegionSpace> space) {

  /**
   * {@return the failure of a free at the address}
   *
   * @param laterCopy copies the space if there is no copy yet
   */
  IllegalStateException nothingToFree(String allocator, Supplier<RegionSpace> laterCopy) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "allocator '%s' has nothing to free at %d: %s",
            allocator,
            address,
            describe(laterCopy)));
  }

  /**
   * {@return a description of the bytes at the address, for a message}
   *
   * @param laterCopy copies the space if there is no copy yet
   */
  String describe(Supplier<RegionSpace> laterCopy) {
    RegionSpace copy = space.orElseGet(laterCopy);
    Optional<Integer> slot = copy.tiled().chunkAround(address);
    if (slot.isEmpty()) {
      return String.format(Locale.ROOT, "it lies in none of its %d regions", copy.regions().size());
    }
    ChunkTable chunks = copy.chunks();
    String where =
        String.format(Locale.ROOT, "[%d, %d)", chunks.address(slot.get()), chunks.end(slot.get()));
    return chunks.isFree(slot.get())
        ? "already free, inside free chunk " + where
        : String.format(
            Locale.ROOT, "inside chunk %s, %s", where, copy.allocation(slot.get()).describe());
  }
}
