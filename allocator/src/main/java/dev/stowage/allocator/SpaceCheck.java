package dev.stowage.allocator;

import java.util.BitSet;
import java.util.Locale;

/** A check of the invariants of a {@link RegionSpace}. */
final class SpaceCheck {

  /*
   *   I1  chunks tile every region: the first chunk starts with the region, each other one at the end
   *       of the previous one, and the fence is at the region's end; the links of neighbours agree;
   *   I2  no two neighbouring chunks are free;
   *   I3  FreeChunks contains exactly the free chunks, each once;
   *   I4  ChunkIndex contains exactly the chunks of all regions, by their addresses;
   *   I5  bytes in use and requested bytes in use are the sums over the chunks; the bytes of all
   *       regions are the sum over the regions;
   *   I6  addresses and sizes of chunks are multiples of 256, sizes of regions of the granularity.
   *
   *   I10 the regions of an allocator and of its private pools are within the limit.
   *
   * FreeChunks checks I7 to I9, and ChunkTree T1 and T2.
   */

  private final String allocator;
  private final RegionSpace space;
  private final TiledRegions tiled;
  private final ChunkTable chunks;
  private final BitSet seen = new BitSet();

  private long usedBytes;
  private long requestedBytes;
  private int freeCount;

  SpaceCheck(String allocator, RegionSpace space) {
    this.allocator = allocator;
    this.space = space;
    tiled = space.tiled();
    chunks = space.chunks();
  }

  /**
   * Checks all invariants; costs O(chunks log chunks).
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void run() {
    long regionBytes = 0;
    for (AllocationRegion region : tiled.regions()) {
      checkRegion(region);
      regionBytes += region.bytes();
    }
    tiled.free().checkInvariants();
    check(freeCount == tiled.free().count(), "I3");
    check(seen.cardinality() == tiled.index().count(), "I4");
    check(seen.cardinality() == freeCount + tiled.usedCount(), "I4");
    check(regionBytes == tiled.bytes(), "I5");
    check(usedBytes == space.bytesInUse(), "I5");
    check(requestedBytes == space.requestedBytesInUse(), "I5");
    check(space.supply().availableBytes() >= 0, "I10");
  }

  private void checkRegion(AllocationRegion region) {
    long expected = region.address();
    int previous = region.fence();
    for (int slot = chunks.next(previous); slot != region.fence(); slot = chunks.next(slot)) {
      check(!seen.get(slot) && chunks.address(slot) == expected, "I1", slot);
      seen.set(slot);
      check(chunks.previous(slot) == previous, "I1", slot);
      check(!(chunks.isFree(previous) && chunks.isFree(slot)), "I2", slot);
      checkChunk(slot);
      previous = slot;
      expected = chunks.end(slot);
    }
    int fence = region.fence();
    check(chunks.previous(fence) == previous, "I1", fence);
    check(expected == region.end() && chunks.address(fence) == expected, "I1", fence);
    check(chunks.isFence(fence) && chunks.bytes(fence) == 0, "I1", fence);
    check(region.bytes() % space.supply().granularityBytes() == 0, "I6", fence);
  }

  private void checkChunk(int slot) {
    check(tiled.index().find(chunks.address(slot)) == slot, "I4", slot);
    check(chunks.address(slot) % Quantum.BYTES == 0, "I6", slot);
    check(chunks.bytes(slot) % Quantum.BYTES == 0 && chunks.bytes(slot) > 0, "I6", slot);
    check(tiled.free().contains(slot) == chunks.isFree(slot), "I3", slot);
    if (chunks.isFree(slot)) {
      freeCount++;
    } else {
      usedBytes += chunks.bytes(slot);
      requestedBytes += chunks.requestedBytes(slot);
    }
  }

  private void check(boolean holds, String invariant) {
    if (!holds) {
      throw broken(invariant, "the totals");
    }
  }

  private void check(boolean holds, String invariant, int slot) {
    if (!holds) {
      throw broken(
          invariant,
          String.format(Locale.ROOT, "chunk [%d, %d)", chunks.address(slot), chunks.end(slot)));
    }
  }

  private AssertionError broken(String invariant, String place) {
    return new AssertionError(
        String.format(
            Locale.ROOT,
            "invariant %s of allocator '%s' does not hold: %s",
            invariant,
            allocator,
            place));
  }
}
