package dev.stowage.allocator;

/** Placement at both ends of a region: takes holes of an end, or cuts the gap. */
final class TwoEnds {

  /*
   * After spatial partitioning in xla/tsl/framework/bfc_allocator (2026), with its default policies:
   *
   * - A request takes the smallest hole of its end that holds it, among equal ones the lowest. Holes of
   *   the other end are never used.
   * - Otherwise, it takes exactly its rounded bytes from its side of the gap. Bytes that are skipped for
   *   an alignment become a hole of the end.
   * - A hole is split as any chunk. The high end takes the highest part of a hole.
   *
   * So the addresses of an end depend only on the requests and frees of this end, until the gap is too
   * small for a request.
   */

  private static final int NONE = ChunkTable.NONE;

  private final ChunkTable chunks;
  private final ChunkIndex index;
  private final TwoEndedChunks free;
  private final long splitThresholdBytes;

  TwoEnds(TiledRegions tiled, long splitThresholdBytes) {
    chunks = tiled.chunks();
    index = tiled.index();
    free = (TwoEndedChunks) tiled.free();
    this.splitThresholdBytes = splitThresholdBytes;
  }

  /** Removes a hole of the low end for a request and {@return it, or {@link ChunkTable#NONE}} */
  int takeLowHole(long rounded, long alignment) {
    return free.takeHole(End.LOW, rounded, alignment);
  }

  /** {@return a part of a hole of the high end for a request, or {@link ChunkTable#NONE}} */
  int takeHighHole(long rounded, long alignment) {
    int slot = free.takeHole(End.HIGH, rounded, alignment);
    return slot == NONE ? NONE : fitHigh(slot, rounded, alignment);
  }

  private int fitHigh(int hole, long rounded, long alignment) {
    long start = chunks.address(hole);
    long padding = Quantum.paddingBytes(start, alignment);
    long taken =
        isSplit(chunks.bytes(hole) - padding, rounded)
            ? highest(hole, rounded, alignment)
            : start + padding;
    int slot = freeFront(hole, taken - start);
    if (isSplit(chunks.bytes(slot), rounded)) {
      freeRest(slot, rounded);
    }
    return slot;
  }

  private boolean isSplit(long bytes, long rounded) {
    long rest = bytes - rounded;
    return rest >= rounded || rest >= splitThresholdBytes;
  }

  /** {@return the highest address for a request in a free chunk; lower than the chunk if none} */
  private long highest(int slot, long rounded, long alignment) {
    return (chunks.end(slot) - rounded) & -Math.max(Quantum.BYTES, alignment);
  }

  /** Cuts a request from the gap and {@return the chunk, or {@link ChunkTable#NONE}} */
  int takeFromGap(End end, long rounded, long alignment) {
    int gap = free.gap();
    if (gap == NONE || rounded > chunks.bytes(gap)) {
      return NONE;
    }
    long start = chunks.address(gap);
    long taken =
        end == End.LOW
            ? start + Quantum.paddingBytes(start, alignment)
            : highest(gap, rounded, alignment);
    if (taken < start || taken > chunks.end(gap) - rounded) {
      return NONE;
    }
    // The new bounds decide to which end the free parts on both sides belong.
    if (end == End.LOW) {
      free.takeGap(taken + rounded, chunks.end(gap));
    } else {
      free.takeGap(start, taken);
    }
    int slot = freeFront(gap, taken - start);
    if (chunks.bytes(slot) > rounded) {
      freeRest(slot, rounded);
    }
    return slot;
  }

  private int freeFront(int slot, long bytes) {
    if (bytes == 0) {
      return slot;
    }
    int rest = cut(slot, bytes);
    free.add(slot);
    return rest;
  }

  private void freeRest(int slot, long bytes) {
    free.add(cut(slot, bytes));
  }

  private int cut(int slot, long bytes) {
    int rest = chunks.cut(slot, bytes);
    index.add(rest);
    return rest;
  }
}
