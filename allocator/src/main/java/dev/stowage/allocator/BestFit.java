package dev.stowage.allocator;

import java.util.OptionalLong;

/** Takes the smallest chunk that holds a request; of equal ones the one at the lowest address. */
final class BestFit extends PlacementRule {

  static final PlacementRule PLACEMENT = new BestFit();

  private static final int NONE = ChunkTable.NONE;

  private BestFit() {}

  @Override
  FreeChunks freeChunks(ChunkTable chunks) {
    return new FreeChunks(chunks);
  }

  @Override
  int takeHeld(TiledRegions tiled, long rounded, long alignment, long splitThresholdBytes) {
    int slot = takeFree(tiled.free(), rounded, alignment);
    return slot == NONE ? NONE : tiled.fit(slot, rounded, alignment, splitThresholdBytes);
  }

  @Override
  int take(
      TiledRegions tiled,
      RegionSupply supply,
      long rounded,
      long alignment,
      long splitThresholdBytes) {
    int slot = takeFree(tiled.free(), rounded, alignment);
    if (slot == NONE) {
      slot = takeSupplied(tiled.free(), supply, rounded, alignment);
    }
    return slot == NONE ? NONE : tiled.fit(slot, rounded, alignment, splitThresholdBytes);
  }

  private static int takeFree(FreeChunks free, long rounded, long alignment) {
    return alignment <= Quantum.BYTES
        ? free.takeFirst(rounded)
        : free.takeFirst(rounded, alignment);
  }

  private static int takeSupplied(
      FreeChunks free, RegionSupply supply, long rounded, long alignment) {
    if (!supply.supply(rounded, alignment)) {
      return NONE;
    }
    int slot = takeFree(free, rounded, alignment);
    if (slot == NONE) {
      // An aligned search gave up before it reached the new memory.
      slot = supply.grown();
      free.remove(slot);
    }
    return slot;
  }

  @Override
  long largestFreeBytes(TiledRegions tiled) {
    int largest = tiled.free().largest();
    return largest == NONE ? 0 : tiled.chunks().bytes(largest);
  }

  @Override
  boolean takesAnyChunk() {
    return true;
  }

  @Override
  OptionalLong totalBytes(
      TiledRegions tiled, RegionSupply supply, FailedRequest request, boolean isFromStart) {
    long lacking = request.neededBytes();
    if (supply.collects() && request.fitsInRegion()) {
      lacking -= tiled.freeRegionBytes();
    }
    for (AllocationRegion region : tiled.regions()) {
      if (supply.canLengthen(region) || (isFromStart && supply.isOneRegionOfTheLimit())) {
        long longer = tiled.lackingBytes(region, request.roundedBytes(), request.alignment());
        lacking = Math.min(lacking, Quantum.roundedUp(longer, supply.granularityBytes()));
      }
    }
    return lacking > highestBytes(supply) - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(tiled.bytes() + lacking);
  }
}
