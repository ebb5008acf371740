package dev.stowage.allocator;

import java.util.Locale;

/** The free chunks of a region with two ends: the holes of each end, and the gap between them. */
final class TwoEndedChunks extends FreeChunks {

  /** An end of the region, as {@code AllocationEnd} of XLA. */
  enum End {
    /** The end at the lowest address, from which allocations grow up. */
    LOW,

    /** The end at the highest address, from which allocations grow down. */
    HIGH
  }

  /*
   *   low address                                          high address
   *   | in use | hole | in use |       gap       | in use | hole | in use |
   *   |<------- low end ------>|                 |<------ high end ------>|
   *                            gapStart          gapEnd
   *
   * This object has the holes of the low end as its own chunks. A free chunk next to the gap is a part
   * of the gap: the chunk on each side of it is in use, or the end of the region. If the gap has no
   * bytes, no chunk is the gap, and both ends meet at its address.
   *
   *   E1  the gap is the free chunk from gapStart to gapEnd, and there is none if these are equal;
   *   E2  holes of the low end lie below gapStart, and holes of the high end at or above gapEnd; no
   *       hole has an address in common with the gap, not even at its ends.
   */

  private static final int NONE = ChunkTable.NONE;

  private final ChunkTable chunks;
  private final FreeChunks highHoles;
  private int gap = NONE;
  private long gapStart;
  private long gapEnd;

  TwoEndedChunks(ChunkTable chunks) {
    super(chunks);
    this.chunks = chunks;
    highHoles = new FreeChunks(chunks);
  }

  private TwoEndedChunks(TwoEndedChunks source, ChunkTable chunks) {
    super(source, chunks);
    this.chunks = chunks;
    highHoles = source.highHoles.copy(chunks);
    gap = source.gap;
    gapStart = source.gapStart;
    gapEnd = source.gapEnd;
  }

  @Override
  FreeChunks copy(ChunkTable copiedChunks) {
    return new TwoEndedChunks(this, copiedChunks);
  }

  /** {@return the gap, or {@link ChunkTable#NONE} if it has no bytes} */
  int gap() {
    return gap;
  }

  /** {@return the address at which both ends meet, if the gap has no bytes; otherwise its start} */
  long gapStart() {
    return gapStart;
  }

  /** {@return the bytes of the gap} */
  long gapBytes() {
    return gapEnd - gapStart;
  }

  /** Takes the gap out of the free chunks; its new bounds follow. */
  void takeGap(long newStart, long newEnd) {
    gap = NONE;
    gapStart = newStart;
    gapEnd = newEnd;
  }

  /**
   * Removes the last hole of the high end of the smallest size that fits and {@return it, or none}
   */
  int takeLastHighHole(long bytes, long alignment) {
    int first = highHoles.first(bytes, alignment);
    if (first == NONE) {
      return NONE;
    }
    int hole = alignment <= Quantum.BYTES ? highHoles.lastOfSize(first) : first;
    highHoles.remove(hole);
    return hole;
  }

  /** Removes the first hole of an end that holds a request and {@return it, or none} */
  int takeHole(End end, long bytes, long alignment) {
    FreeChunks holes = end == End.LOW ? this : highHoles;
    return alignment <= Quantum.BYTES ? holes.takeFirst(bytes) : holes.takeFirst(bytes, alignment);
  }

  /** {@return the bytes of the largest chunk that an end can use} */
  long largestBytes(End end) {
    int hole = end == End.LOW ? super.largest() : highHoles.largest();
    return Math.max(bytes(hole), bytes(gap));
  }

  private long bytes(int slot) {
    return slot == NONE ? 0 : chunks.bytes(slot);
  }

  @Override
  void add(int slot) {
    if (isWholeRegion(slot) || touchesGap(slot)) {
      gap = slot;
      gapStart = chunks.address(slot);
      gapEnd = chunks.end(slot);
    } else if (chunks.address(slot) < gapStart) {
      super.add(slot);
    } else {
      highHoles.add(slot);
    }
  }

  private boolean isWholeRegion(int slot) {
    return chunks.isFence(chunks.next(slot)) && chunks.isFence(chunks.previous(slot));
  }

  private boolean touchesGap(int slot) {
    return chunks.address(slot) <= gapEnd && chunks.end(slot) >= gapStart;
  }

  @Override
  void remove(int slot) {
    if (slot == gap) {
      boolean isRegionRemoved = isWholeRegion(slot);
      takeGap(isRegionRemoved ? 0 : gapStart, isRegionRemoved ? 0 : gapEnd);
    } else if (chunks.address(slot) < gapStart) {
      super.remove(slot);
    } else {
      highHoles.remove(slot);
    }
  }

  @Override
  int count() {
    return super.count() + highHoles.count() + (gap == NONE ? 0 : 1);
  }

  /** {@return true if a chunk is free and found where E2 has its place} */
  @Override
  boolean contains(int slot) {
    if (slot == gap || touchesGap(slot)) {
      return slot == gap;
    }
    return chunks.address(slot) < gapStart ? super.contains(slot) : highHoles.contains(slot);
  }

  @Override
  int largest() {
    int largest = gap;
    for (int slot : new int[] {super.largest(), highHoles.largest()}) {
      if (bytes(slot) > bytes(largest)) {
        largest = slot;
      }
    }
    return largest;
  }

  /** Checks E1, and I7 to I9 for the holes of both ends. {@link #contains} is the check of E2. */
  @Override
  void checkInvariants() {
    super.checkInvariants();
    highHoles.checkInvariants();
    boolean isGap =
        gap == NONE
            ? gapStart == gapEnd
            : chunks.isFree(gap) && chunks.address(gap) == gapStart && chunks.end(gap) == gapEnd;
    if (!isGap) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "invariant E1 of the two ends does not hold: gap [%d, %d)",
              gapStart,
              gapEnd));
    }
  }
}
