package dev.stowage.allocator;

import java.util.OptionalLong;

/** The rule by which requests take free chunks. */
abstract class PlacementRule {

  /** {@return free chunks for the rule, none so far} */
  abstract FreeChunks freeChunks(ChunkTable chunks);

  /**
   * Takes a free chunk, cut to the size of a request, and {@return its slot, or {@link
   * ChunkTable#NONE}}
   *
   * @param splitThresholdBytes the bytes of a rest that is always cut off
   */
  abstract int takeHeld(TiledRegions tiled, long rounded, long alignment, long splitThresholdBytes);

  /** Takes a chunk as {@link #takeHeld}, with more memory if none holds the request. */
  abstract int take(
      TiledRegions tiled,
      RegionSupply supply,
      long rounded,
      long alignment,
      long splitThresholdBytes);

  // Explaining failures.

  /** {@return the bytes of the largest free chunk that a request may take; 0 for none} */
  abstract long largestFreeBytes(TiledRegions tiled);

  /** {@return true if a request may take any free chunk, so that neighbours in use matter} */
  abstract boolean takesAnyChunk();

  /**
   * {@return the bytes of all regions with which a request would have passed, if there are any}
   *
   * @param isFromStart true if the one region could have been longer from the start
   */
  abstract OptionalLong totalBytes(
      TiledRegions tiled, RegionSupply supply, FailedRequest request, boolean isFromStart);

  /** {@return the most bytes that regions can have} */
  static long highestBytes(RegionSupply supply) {
    return Long.MAX_VALUE & -supply.granularityBytes();
  }
}
