package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A group of neighbouring allocations without which a request would have passed: the group with the
 * fewest bytes, or the one at the lowest address if several are equal.
 *
 * @param count the number of allocations
 * @param bytes the bytes of their chunks
 * @param address the address of the first one
 * @param largest the largest allocation; if several are equal, the lowest
 * @param needsDevice true if the request would also have needed memory from the sub-allocator
 */
record Obstacle(int count, long bytes, long address, Allocation largest, boolean needsDevice) {

  /*
   * A window of neighbouring chunks moves over each region. Its end moves up by one chunk at a
   * time. Its start follows while the rest still holds the request. Each chunk therefore enters and
   * leaves the window once. The start never moves down: a window that starts higher holds no
   * more, for any alignment.
   *
   * An expandable region can also use, after its last chunk, the bytes that are left up to the
   * limit. A region without allocations may be returned. A new region can then use its bytes and
   * the bytes that are left up to the limit. A region that is returned as soon as it is
   * free counts only if a new region holds the request.
   */

  static Optional<Obstacle> find(
      RegionSpace space, long rounded, long alignment, boolean regionRefused) {
    Optional<Obstacle> best = Optional.empty();
    long freeRegionBytes = space.supply().collects() ? space.tiled().freeRegionBytes() : 0;
    for (AllocationRegion region : space.regions()) {
      Window window = new Window(space, region, rounded, alignment, regionRefused, freeRegionBytes);
      Optional<Obstacle> found = window.best();
      if (found.isPresent() && (best.isEmpty() || found.get().bytes() < best.get().bytes())) {
        best = found;
      }
    }
    return best;
  }

  String describe() {
    return count == 1
        ? largest.describe()
        : String.format(
            Locale.ROOT,
            "%s in %,d neighbouring allocations from 0x%x on, the largest of them %s",
            ByteCount.exact(bytes),
            count,
            address,
            largest.describe());
  }

  private static final class Window {

    private final RegionSpace space;
    private final ChunkTable chunks;
    private final List<Integer> slots;
    private final long rounded;
    private final long alignment;
    private final long allUsedBytes;

    /** The bytes by which the region can become longer. */
    private final long moreBytes;

    /** True if the region is returned as soon as it is free. */
    private final boolean isReleasedAtOnce;

    /** True if the region may be returned once it is free. */
    private final boolean mayBeReleased;

    /** True if a new region in its place would hold the request. */
    private final boolean newRegionHolds;

    Window(
        RegionSpace space,
        AllocationRegion region,
        long rounded,
        long alignment,
        boolean regionRefused,
        long freeRegionBytes) {
      this.space = space;
      this.chunks = space.chunks();
      this.slots = space.tiled().slots(region);
      this.rounded = rounded;
      this.alignment = alignment;
      RegionSupply supply = space.supply();
      long available = supply.availableBytes();
      allUsedBytes = slots.stream().mapToLong(this::usedBytes).sum();
      moreBytes = supply.canLengthen(region) ? available : 0;
      isReleasedAtOnce = region.bytes() >= supply.trimThresholdBytes();
      mayBeReleased = isReleasedAtOnce || supply.collects();
      // Returned memory is available again.
      long newBytes = region.bytes() + (regionRefused ? 0 : available + freeRegionBytes);
      newRegionHolds = supply.neededBytes(rounded, alignment) <= newBytes;
    }

    Optional<Obstacle> best() {
      int first = 0;
      long usedBytes = 0;
      long bestBytes = mayBeReleased && newRegionHolds ? allUsedBytes : Long.MAX_VALUE;
      int bestFirst = 0;
      int bestEnd = slots.size();
      for (int end = 1; end <= slots.size(); end++) {
        usedBytes += usedBytes(slots.get(end - 1));
        while (first < end && holds(first + 1, end)) {
          usedBytes -= usedBytes(slots.get(first++));
        }
        if (usedBytes < bestBytes && holds(first, end) && mayStay(usedBytes)) {
          bestBytes = usedBytes;
          bestFirst = first;
          bestEnd = end;
        }
      }
      return bestBytes == Long.MAX_VALUE || bestBytes == 0
          ? Optional.empty()
          : Optional.of(obstacle(bestFirst, bestEnd, bestBytes));
    }

    /** {@return true if the region is kept after {@code usedBytes} of its bytes are freed} */
    private boolean mayStay(long usedBytes) {
      return usedBytes < allUsedBytes || !isReleasedAtOnce;
    }

    private long usedBytes(int slot) {
      return chunks.isFree(slot) ? 0 : chunks.bytes(slot);
    }

    private boolean holds(int first, int end) {
      return holds(first, end, end == slots.size() ? moreBytes : 0);
    }

    private boolean holds(int first, int end, long more) {
      if (first >= end) {
        return false;
      }
      long start = chunks.address(slots.get(first));
      long bytes = chunks.end(slots.get(end - 1)) - start;
      long padding = alignment <= Quantum.BYTES ? 0 : Quantum.paddingBytes(start, alignment);
      return rounded - bytes <= more - padding;
    }

    private Obstacle obstacle(int first, int end, long bytes) {
      List<Integer> inUse =
          slots.subList(first, end).stream().filter(slot -> !chunks.isFree(slot)).toList();
      int largest = inUse.getFirst();
      for (int slot : inUse) {
        largest = chunks.bytes(slot) > chunks.bytes(largest) ? slot : largest;
      }
      return new Obstacle(
          inUse.size(),
          bytes,
          chunks.address(inUse.getFirst()),
          space.allocation(largest),
          !(holds(first, end, 0) && mayStay(bytes)));
    }
  }
}
