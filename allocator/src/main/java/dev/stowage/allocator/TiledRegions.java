package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The regions of an allocator and the chunks that tile them. */
final class TiledRegions {

  /*
   * The chunks of a region form a ring through a fence at the region's end. Each chunk therefore
   * has two neighbours, and the last chunk is the neighbour before the fence:
   *
   *            first                          last    fence
   *   region   | in use |  free  |  in use  |  free  |
   *
   * SpaceCheck has the invariants.
   */

  private final ChunkTable chunks;
  private final ChunkIndex index;
  private final FreeChunks free;
  private final RegionManager regions;

  /**
   * Creates no regions.
   *
   * @param order makes the free chunks of a table
   */
  TiledRegions(Function<ChunkTable, FreeChunks> order) {
    chunks = new ChunkTable();
    index = new ChunkIndex(chunks);
    free = order.apply(chunks);
    regions = new RegionManager();
  }

  private TiledRegions(TiledRegions source, ChunkTable.Room room) {
    chunks = source.chunks.copy(room);
    index = new ChunkIndex(chunks);
    free = source.free.copy(chunks);
    regions = source.regions.copy();
  }

  /** {@return the regions as they are now, for reading; the index of a copy is empty} */
  TiledRegions copy(ChunkTable.Room room) {
    return new TiledRegions(this, room);
  }

  /**
   * {@return the same regions, each of them one free chunk}
   *
   * <p>Costs O(regions), not O(chunks).
   */
  TiledRegions emptied() {
    TiledRegions emptied = new TiledRegions(FreeChunks::new);
    for (AllocationRegion region : regions.regions()) {
      emptied.makeRoom();
      emptied.add(region.address(), region.bytes());
    }
    return emptied;
  }

  ChunkTable chunks() {
    return chunks;
  }

  FreeChunks free() {
    return free;
  }

  ChunkIndex index() {
    return index;
  }

  /** {@return the regions by ascending address} */
  List<AllocationRegion> regions() {
    return regions.regions();
  }

  /** {@return the bytes of all regions} */
  long bytes() {
    return regions.bytes();
  }

  // Chunks.

  /** Makes room for the chunks that an operation adds. */
  void makeRoom() {
    chunks.makeRoom();
    index.makeRoom();
  }

  private int addChunk(long address, long bytes) {
    int slot = chunks.add(address, bytes);
    index.add(slot);
    return slot;
  }

  private void removeChunk(int slot) {
    index.remove(slot);
    chunks.remove(slot);
  }

  /** Cuts a chunk that was taken from the free ones and {@return the part for a request} */
  int fit(int taken, long rounded, long alignment, long splitThresholdBytes) {
    long padding =
        alignment <= Quantum.BYTES ? 0 : Quantum.paddingBytes(chunks.address(taken), alignment);
    int slot = freeFront(taken, padding);
    long rest = chunks.bytes(slot) - rounded;
    if (rest >= rounded || rest >= splitThresholdBytes) {
      free.add(cut(slot, rounded));
    }
    return slot;
  }

  /** Cuts the first bytes off a chunk, frees them, and {@return the rest} */
  int freeFront(int slot, long bytes) {
    if (bytes == 0) {
      return slot;
    }
    int rest = cut(slot, bytes);
    free.add(slot);
    return rest;
  }

  private int cut(int slot, long frontBytes) {
    int rest = chunks.cut(slot, frontBytes);
    index.add(rest);
    return rest;
  }

  // Regions.

  /** Adds a region and {@return its free chunk} */
  int add(long address, long bytes) {
    int fence = chunks.addFence(address + bytes);
    int chunk = addChunk(address, bytes);
    chunks.link(fence, chunk);
    chunks.link(chunk, fence);
    regions.add(new AllocationRegion(address, bytes, fence));
    free.add(chunk);
    return chunk;
  }

  /** Removes a region that is free. */
  void remove(AllocationRegion region) {
    int chunk = first(region);
    free.remove(chunk);
    removeChunk(chunk);
    chunks.remove(region.fence());
    regions.remove(region);
  }

  /** Moves the end of a region up and {@return the free chunk at its end} */
  int lengthen(AllocationRegion region, long newBytes) {
    long more = newBytes - region.bytes();
    int last = last(region);
    if (chunks.isFree(last)) {
      free.remove(last);
      chunks.setBytes(last, chunks.bytes(last) + more);
    } else {
      int added = addChunk(region.end(), more);
      chunks.link(last, added);
      chunks.link(added, region.fence());
      last = added;
    }
    free.add(last);
    moveEnd(region, newBytes);
    return last;
  }

  /** Moves the end of a region down, within the free chunk at its end. */
  void shorten(AllocationRegion region, long newBytes) {
    int last = last(region);
    free.remove(last);
    long kept = region.address() + newBytes - chunks.address(last);
    if (kept > 0) {
      chunks.setBytes(last, kept);
      free.add(last);
    } else {
      chunks.link(chunks.previous(last), region.fence());
      removeChunk(last);
    }
    moveEnd(region, newBytes);
  }

  private void moveEnd(AllocationRegion region, long newBytes) {
    regions.resize(region, newBytes);
    chunks.moveFence(region.fence(), region.end());
  }

  /** {@return the region that contains an address} */
  Optional<AllocationRegion> regionAround(long address) {
    return regions.find(address);
  }

  /** {@return a region that overlaps a range of at least one byte} */
  Optional<AllocationRegion> overlapped(long address, long bytes) {
    return regions.overlapped(address, bytes);
  }

  /** {@return the slot of the first chunk of a region} */
  private int first(AllocationRegion region) {
    return chunks.next(region.fence());
  }

  /** {@return the slot of the last chunk of a region} */
  int last(AllocationRegion region) {
    return chunks.previous(region.fence());
  }

  /** {@return true if a region has no chunk in use} */
  boolean isFree(AllocationRegion region) {
    int first = first(region);
    return chunks.isFree(first) && chunks.bytes(first) == region.bytes();
  }

  /** {@return the regions without a chunk in use, by descending size, then ascending address} */
  List<AllocationRegion> freeRegions() {
    return regions.regions().stream()
        .filter(this::isFree)
        .sorted(Comparator.comparingLong(AllocationRegion::bytes).reversed())
        .toList();
  }

  long freeRegionBytes() {
    return freeRegions().stream().mapToLong(AllocationRegion::bytes).sum();
  }

  /** {@return the bytes by which a region must be longer for a request to fit at its end} */
  long lackingBytes(AllocationRegion region, long rounded, long alignment) {
    int last = last(region);
    long tail = chunks.isFree(last) ? chunks.bytes(last) : 0;
    long padding =
        alignment <= Quantum.BYTES ? 0 : Quantum.paddingBytes(region.end() - tail, alignment);
    return rounded > Long.MAX_VALUE - padding ? Long.MAX_VALUE : rounded + padding - tail;
  }

  // Reading.

  /** {@return the number of chunks in use} */
  int usedCount() {
    return chunks.count() - free.count() - regions.regions().size();
  }

  /** {@return the slots of a region's chunks by ascending address} */
  List<Integer> slots(AllocationRegion region) {
    List<Integer> slots = new ArrayList<>();
    for (int slot = first(region); slot != region.fence(); slot = chunks.next(slot)) {
      slots.add(slot);
    }
    return slots;
  }

  /** {@return the slots of the chunks in use by ascending address} */
  List<Integer> slotsInUse() {
    return regions.regions().stream()
        .flatMap(region -> slots(region).stream())
        .filter(slot -> !chunks.isFree(slot))
        .toList();
  }

  /** {@return the slot of the chunk that contains an address, if a region does} */
  Optional<Integer> chunkAround(long address) {
    return regions
        .find(address)
        .map(region -> {
          int slot = first(region);
          while (address - chunks.address(slot) >= chunks.bytes(slot)) {
            slot = chunks.next(slot);
          }
          return slot;
        });
  }
}
