package dev.stowage.core.bfc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Why a request failed, and the smallest changes that would have let it pass.
 *
 * @param verdict why
 * @param requestedBytes what was asked for
 * @param roundedBytes what would have been taken
 * @param paddingBytes how far, at most, an address has to be moved up to be aligned
 * @param statistics of the allocator then
 * @param higherLimitBytes how much higher the limit would have to be, empty where no limit is high
 *     enough
 * @param garbageCollectionHelps whether it would have passed with wholly free regions given back
 * @param obstacle what would have to be freed, empty where no region is long enough
 */
record Shortage(
    OutOfMemoryVerdict verdict,
    long requestedBytes,
    long roundedBytes,
    long paddingBytes,
    AllocatorStatistics statistics,
    OptionalLong higherLimitBytes,
    boolean garbageCollectionHelps,
    Optional<Obstacle> obstacle) {

  /**
   * Neighbouring allocations that would leave room for a request.
   *
   * @param count how many
   * @param bytes what they take
   * @param address of the first
   * @param largest of them
   */
  record Obstacle(int count, long bytes, long address, Allocation largest) {

    String describe() {
      return count == 1
          ? largest.describe()
          : "%d bytes in %d neighbouring allocations from %d on, the largest of them %s"
              .formatted(bytes, count, address, largest.describe());
    }
  }

  static Shortage of(RegionSpace space, BfcOptions options, long bytes, long alignment) {
    long rounded = RegionSpace.roundedBytes(bytes);
    AllocatorStatistics now = space.statistics();
    return new Shortage(
        verdict(space, rounded, now),
        bytes,
        rounded,
        RegionSpace.paddingBytes(alignment),
        now,
        higherLimitBytes(space, options, rounded, alignment),
        !options.garbageCollection() && space.mayHelp(rounded, alignment),
        obstacle(space, rounded, alignment));
  }

  private static OutOfMemoryVerdict verdict(
      RegionSpace space, long rounded, AllocatorStatistics now) {
    if (space.refused()) {
      return OutOfMemoryVerdict.REFUSED_BY_DEVICE;
    }
    if (rounded > space.limitBytes() - now.bytesInUse()) {
      return OutOfMemoryVerdict.TRUE_SHORTAGE;
    }
    return now.freeBytes() >= rounded
        ? OutOfMemoryVerdict.EXTERNAL_FRAGMENTATION
        : OutOfMemoryVerdict.LIMIT_REACHED;
  }

  private static OptionalLong higherLimitBytes(
      RegionSpace space, BfcOptions options, long rounded, long alignment) {
    long padding = RegionSpace.paddingBytes(alignment);
    long highest = Long.MAX_VALUE - ChunkTable.QUANTUM_BYTES + 1;
    if (rounded > highest - space.reservedBytes() - padding) {
      return OptionalLong.empty();
    }
    long lacking = rounded + padding;
    if (options.growth() != RegionGrowth.DOUBLING) {
      // A region could be longer.
      for (AllocationRegion region : space.regions()) {
        lacking = Math.min(lacking, space.lackingBytes(region, rounded, alignment));
      }
    }
    return OptionalLong.of(lacking - (space.limitBytes() - space.reservedBytes()));
  }

  /** {@return the neighbours with the fewest bytes in use among them, the lowest of equal ones} */
  private static Optional<Obstacle> obstacle(RegionSpace space, long rounded, long alignment) {
    Optional<Obstacle> best = Optional.empty();
    for (AllocationRegion region : space.regions()) {
      Optional<Obstacle> found = new Window(space, space.slots(region)).best(rounded, alignment);
      if (found.isPresent() && (best.isEmpty() || found.get().bytes() < best.get().bytes())) {
        best = found;
      }
    }
    return best;
  }

  /** Neighbouring chunks, moved over a region: each is taken in once and left out once. */
  private static final class Window {

    private final RegionSpace space;
    private final ChunkTable chunks;
    private final List<Integer> slots;

    Window(RegionSpace space, List<Integer> slots) {
      this.space = space;
      this.chunks = space.chunks();
      this.slots = slots;
    }

    Optional<Obstacle> best(long rounded, long alignment) {
      int first = 0;
      long usedBytes = 0;
      long bestBytes = Long.MAX_VALUE;
      int bestFirst = 0;
      int bestEnd = 0;
      for (int end = 1; end <= slots.size(); end++) {
        usedBytes += usedBytes(end - 1);
        while (first < end && holds(first + 1, end, rounded, alignment)) {
          usedBytes -= usedBytes(first++);
        }
        if (holds(first, end, rounded, alignment) && usedBytes < bestBytes) {
          bestBytes = usedBytes;
          bestFirst = first;
          bestEnd = end;
        }
      }
      return bestEnd == 0 ? Optional.empty() : Optional.of(obstacle(bestFirst, bestEnd, bestBytes));
    }

    private long usedBytes(int index) {
      int slot = slots.get(index);
      return chunks.isFree(slot) ? 0 : chunks.bytes(slot);
    }

    private boolean holds(int first, int end, long rounded, long alignment) {
      if (first >= end) {
        return false;
      }
      long start = chunks.address(slots.get(first));
      long bytes = chunks.end(slots.get(end - 1)) - start;
      long padding =
          alignment <= ChunkTable.QUANTUM_BYTES ? 0 : FreeChunks.paddingBytes(start, alignment);
      return bytes - padding >= rounded;
    }

    private Obstacle obstacle(int first, int end, long bytes) {
      List<Allocation> inUse =
          slots.subList(first, end).stream()
              .filter(slot -> !chunks.isFree(slot))
              .map(space::allocation)
              .toList();
      Allocation largest = inUse.getFirst();
      for (Allocation allocation : inUse) {
        largest = allocation.bytes() > largest.bytes() ? allocation : largest;
      }
      return new Obstacle(inUse.size(), bytes, inUse.getFirst().address(), largest);
    }
  }

  /** {@return the verdict with its numbers, in one sentence} */
  String reason() {
    long largest = statistics.largestFreeChunkBytes();
    return switch (verdict) {
      case BUDGET_REACHED -> throw new IllegalStateException("no allocator's verdict: " + verdict);
      case REFUSED_BY_DEVICE ->
          "Refused by the device: it did not give %d bytes, which the limit would have allowed"
              .formatted(roundedBytes + paddingBytes);
      case TRUE_SHORTAGE ->
          higherLimitBytes.isPresent()
              ? "A true shortage: the request and what is in use are %d bytes more than the limit"
                  .formatted(roundedBytes - (statistics.limitBytes() - statistics.bytesInUse()))
              : "A true shortage";
      case EXTERNAL_FRAGMENTATION ->
          largest < roundedBytes
              ? "External fragmentation: enough is free, but the largest chunk is %d bytes too small"
                  .formatted(roundedBytes - largest)
              : "External fragmentation: enough is free, but no chunk has %d bytes at a multiple of %d"
                  .formatted(roundedBytes, paddingBytes + ChunkTable.QUANTUM_BYTES);
      case LIMIT_REACHED ->
          "The limit is reached: %d bytes are left up to it, and the largest free chunk has %d"
              .formatted(statistics.limitBytes() - statistics.reservedBytes(), largest);
    };
  }

  /** {@return the smallest changes that would have let the request pass, in one sentence} */
  String remedy() {
    if (garbageCollectionHelps) {
      return "It would have passed with garbage collection: there are wholly free regions";
    }
    List<String> changes = new ArrayList<>();
    if (verdict != OutOfMemoryVerdict.REFUSED_BY_DEVICE && higherLimitBytes.isPresent()) {
      changes.add("with a limit higher by %d bytes".formatted(higherLimitBytes.getAsLong()));
    }
    obstacle.map(Obstacle::describe).ifPresent(wall -> changes.add("without " + wall));
    if (!changes.isEmpty()) {
      return "It would have passed " + String.join(", or ", changes);
    }
    return verdict == OutOfMemoryVerdict.REFUSED_BY_DEVICE ? "" : "No limit is high enough";
  }
}
