package dev.stowage.allocator;

import dev.stowage.allocator.TwoEndedChunks.End;
import java.util.OptionalLong;

/**
 * Takes chunks from an end of the one region: holes of this end, or parts of the gap. The rule for
 * allocators {@linkplain BfcOptions#withTwoEnds() with two ends}.
 */
final class TwoEnds extends PlacementRule {

  /*
   * After spatial partitioning in xla/tsl/framework/bfc_allocator (2026):
   *
   * - A request takes the smallest hole of its end that holds it, among equal ones the lowest. Holes of
   *   the other end are never used.
   * - Otherwise, it takes exactly its rounded bytes from its side of the gap. Bytes that are skipped for
   *   an alignment become a hole of the end.
   * - A hole is split as any chunk. The high end takes the highest part of a hole.
   *
   * For simulations, there are the rules of XLA's two spaces. The rules of its collective memory
   * also split holes exactly. The rules of its other memory split the gap as any chunk, too, and
   * from the high end take the highest of equal holes.
   *
   * So the addresses of an end depend only on the requests and frees of this end, until the gap is too
   * small for a request.
   */

  /** From the lowest address up. */
  static final PlacementRule FROM_LOW = new TwoEnds(End.LOW, false, true);

  /** From the highest address down. */
  static final PlacementRule FROM_HIGH = new TwoEnds(End.HIGH, false, true);

  private static final int NONE = ChunkTable.NONE;

  private final End end;
  private final boolean splitsHolesExactly;
  private final boolean splitsGapExactly;

  private TwoEnds(End end, boolean splitsHolesExactly, boolean splitsGapExactly) {
    this.end = end;
    this.splitsHolesExactly = splitsHolesExactly;
    this.splitsGapExactly = splitsGapExactly;
  }

  /**
   * {@return the rule of a space of XLA}
   *
   * @param isExact true for the space of collective memory, which splits exactly
   */
  static PlacementRule ofSpace(End end, boolean isExact) {
    return new TwoEnds(end, isExact, isExact);
  }

  @Override
  FreeChunks freeChunks(ChunkTable chunks) {
    return new TwoEndedChunks(chunks);
  }

  private static TwoEndedChunks free(TiledRegions tiled) {
    return (TwoEndedChunks) tiled.free();
  }

  @Override
  int take(
      TiledRegions tiled,
      RegionSupply supply,
      long rounded,
      long alignment,
      long splitThresholdBytes) {
    return tiled.regions().isEmpty() && !supply.supply(rounded, Quantum.BYTES)
        ? NONE
        : takeHeld(tiled, rounded, alignment, splitThresholdBytes);
  }

  @Override
  int takeHeld(TiledRegions tiled, long rounded, long alignment, long splitThresholdBytes) {
    boolean isDescending = end == End.HIGH && !splitsGapExactly;
    int hole =
        isDescending
            ? free(tiled).takeLastHighHole(rounded, alignment)
            : free(tiled).takeHole(end, rounded, alignment);
    if (hole == NONE) {
      return takeFromGap(
          tiled, rounded, alignment, splitsGapExactly ? Quantum.BYTES : splitThresholdBytes);
    }
    long threshold = splitsHolesExactly ? Quantum.BYTES : splitThresholdBytes;
    return end == End.LOW
        ? tiled.fit(hole, rounded, alignment, threshold)
        : fitHigh(tiled, hole, rounded, alignment, threshold);
  }

  private static int fitHigh(
      TiledRegions tiled, int hole, long rounded, long alignment, long splitThresholdBytes) {
    ChunkTable chunks = tiled.chunks();
    long padding = Quantum.paddingBytes(chunks.address(hole), alignment);
    long rest = chunks.bytes(hole) - padding - rounded;
    boolean isSplit = rest >= rounded || rest >= splitThresholdBytes;
    long front =
        isSplit ? highest(chunks, hole, rounded, alignment) - chunks.address(hole) : padding;
    return tiled.fit(tiled.freeFront(hole, front), rounded, Quantum.BYTES, splitThresholdBytes);
  }

  /** {@return the highest address for a request in a free chunk; lower than the chunk if none} */
  private static long highest(ChunkTable chunks, int slot, long rounded, long alignment) {
    return (chunks.end(slot) - rounded) & -Math.max(Quantum.BYTES, alignment);
  }

  /** Cuts a request from the gap and {@return the chunk, or {@link ChunkTable#NONE}} */
  private int takeFromGap(
      TiledRegions tiled, long rounded, long alignment, long splitThresholdBytes) {
    ChunkTable chunks = tiled.chunks();
    TwoEndedChunks free = free(tiled);
    int gap = free.gap();
    if (gap == NONE || rounded > chunks.bytes(gap)) {
      return NONE;
    }
    long start = chunks.address(gap);
    long taken =
        end == End.LOW
            ? start + Quantum.paddingBytes(start, alignment)
            : highest(chunks, gap, rounded, alignment);
    if (taken < start || taken > chunks.end(gap) - rounded) {
      return NONE;
    }
    long lowest = start + Quantum.paddingBytes(start, alignment);
    long rest = chunks.end(gap) - lowest - rounded;
    boolean isSplit = rest >= rounded || rest >= splitThresholdBytes;
    // The new bounds decide to which end the free parts on both sides belong.
    if (end == End.LOW) {
      free.takeGap(isSplit ? taken + rounded : chunks.end(gap), chunks.end(gap));
    } else {
      taken = isSplit ? taken : lowest;
      free.takeGap(start, taken);
    }
    return tiled.fit(
        tiled.freeFront(gap, taken - start), rounded, Quantum.BYTES, splitThresholdBytes);
  }

  @Override
  long largestFreeBytes(TiledRegions tiled) {
    return free(tiled).largestBytes(end);
  }

  @Override
  boolean takesAnyChunk() {
    return false;
  }

  /** {@return the bytes of the one region, if it has the size of the limit} */
  @Override
  OptionalLong totalBytes(
      TiledRegions tiled, RegionSupply supply, FailedRequest request, boolean isFromStart) {
    if (tiled.regions().isEmpty()) {
      long needed = supply.neededBytes(request.roundedBytes(), Quantum.BYTES);
      return needed == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(needed);
    }
    if (!isFromStart || tiled.bytes() != supply.limitBytes()) {
      return OptionalLong.empty();
    }
    // The end of a larger region has another address, which may need the whole padding.
    long padding =
        end == End.LOW
            ? Quantum.paddingBytes(free(tiled).gapStart(), request.alignment())
            : request.alignment() - Quantum.BYTES;
    long lacking = request.roundedBytes() + padding - free(tiled).gapBytes();
    return request.roundedBytes() > highestBytes(supply) - padding - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(tiled.bytes() + Quantum.roundedUp(lacking, supply.granularityBytes()));
  }
}
