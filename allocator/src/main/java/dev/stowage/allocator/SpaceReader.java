package dev.stowage.allocator;

import dev.stowage.allocator.internal.SlotCounts;
import dev.stowage.allocator.internal.SlotUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Describes a space in values: its allocations, its regions, and a report. Each method costs
 * O(chunks), and the space must not change meanwhile.
 */
final class SpaceReader {

  /** The holder of the bytes of slabs that no allocation has. */
  private static final String FREE_SLOTS = "(free slots)";

  private final RegionSpace space;
  private final TiledRegions tiled;
  private final ChunkTable chunks;

  SpaceReader(RegionSpace space) {
    this.space = space;
    tiled = space.tiled();
    chunks = space.chunks();
  }

  /** {@return the allocations in use by ascending address, without slabs} */
  List<Allocation> allocations() {
    return tiled.slotsInUse().stream()
        .filter(slot -> !isSlab(slot))
        .map(space::allocation)
        .toList();
  }

  /** {@return the allocations that are charged to an account or to one below it} */
  List<Allocation> chargedWithin(MemoryAccount account) {
    return tiled.slotsInUse().stream()
        .filter(slot -> chunks.origin(slot).account().filter(a -> a.isWithin(account)).isPresent())
        .map(space::allocation)
        .toList();
  }

  private boolean isSlab(int slot) {
    return chunks.origin(slot).isSlab();
  }

  /** {@return the addresses of the slabs by ascending address} */
  List<Long> slabAddresses() {
    return tiled.slotsInUse().stream().filter(this::isSlab).map(chunks::address).toList();
  }

  /** {@return the regions with both free bytes and allocations in use} */
  List<TrimResult.PinnedRegion> pinned() {
    List<TrimResult.PinnedRegion> pinned = new ArrayList<>();
    for (AllocationRegion region : tiled.regions()) {
      List<Integer> inUse =
          tiled.slots(region).stream().filter(slot -> !chunks.isFree(slot)).toList();
      long freeBytes = region.bytes() - inUse.stream().mapToLong(chunks::bytes).sum();
      if (freeBytes > 0 && !inUse.isEmpty()) {
        pinned.add(
            new TrimResult.PinnedRegion(
                region.address(),
                region.bytes(),
                freeBytes,
                inUse.size(),
                space.allocation(inUse.getLast())));
      }
    }
    return pinned;
  }

  /** {@return the regions with all their chunks} */
  List<RegionChunks> regions() {
    return tiled.regions().stream()
        .map(region ->
            new RegionChunks(
                region.address(),
                region.bytes(),
                tiled.slots(region).stream().map(this::chunk).toList()))
        .toList();
  }

  private RegionChunks.Chunk chunk(int slot) {
    return new RegionChunks.Chunk(
        chunks.address(slot),
        chunks.bytes(slot),
        chunks.isFree(slot) ? Optional.empty() : Optional.of(space.allocation(slot)),
        false,
        Optional.empty());
  }

  // The report.

  /** {@return a report of the chunks; resolves no stacks} */
  AllocatorReport report(String allocator) {
    return report(
        allocator, space.statistics(), tiled.slotsInUse().stream().map(this::holder).toList());
  }

  /** {@return a report with slots in the place of slabs, whose sums are those of its holders} */
  AllocatorReport report(String allocator, SlotUse slots) {
    List<AllocatorReport.Holder> ones = holdersWith(slots);
    AllocatorReport.Holder sum = sum(ones);
    AllocatorStatistics ofChunks = space.statistics();
    SlotCounts difference =
        new SlotCounts(
            slots.counts().allocations(),
            sum.allocations() - ofChunks.chunksInUse(),
            sum.requestedBytes() - ofChunks.requestedBytesInUse(),
            sum.bytes() - ofChunks.bytesInUse());
    return report(allocator, ofChunks.plus(difference), ones);
  }

  private static AllocatorReport.Holder sum(List<AllocatorReport.Holder> ones) {
    return ones.stream()
        .reduce(new AllocatorReport.Holder("", 0, 0, 0), AllocatorReport.Holder::plus);
  }

  private AllocatorReport report(
      String allocator, AllocatorStatistics statistics, List<AllocatorReport.Holder> ones) {
    return new AllocatorReport(
        allocator,
        statistics,
        tiled.regions().size(),
        bins(),
        AllocatorReport.Holder.sums(ones.stream()),
        occupancy());
  }

  /** {@return the holder of each chunk in use, with those of slots in the place of slabs} */
  private List<AllocatorReport.Holder> holdersWith(SlotUse slots) {
    List<AllocatorReport.Holder> ones = new ArrayList<>(slots.holders());
    long slabBytes = 0;
    for (int slot : tiled.slotsInUse()) {
      if (isSlab(slot)) {
        slabBytes += chunks.bytes(slot);
      } else {
        ones.add(holder(slot));
      }
    }
    long freeBytes = slabBytes - sum(slots.holders()).bytes();
    if (freeBytes > 0) { // the slots are of a later moment
      ones.add(new AllocatorReport.Holder(FREE_SLOTS, 0, 0, freeBytes));
    }
    return ones;
  }

  private AllocatorReport.Holder holder(int slot) {
    return new AllocatorReport.Holder(
        chunks.origin(slot).tag(), 1, chunks.requestedBytes(slot), chunks.bytes(slot));
  }

  private List<AllocatorReport.Bin> bins() {
    long[][] sums = new long[FreeChunks.BIN_COUNT][4];
    for (AllocationRegion region : tiled.regions()) {
      for (int slot : tiled.slots(region)) {
        long[] sum = sums[FreeChunks.bin(chunks.bytes(slot))];
        int first = chunks.isFree(slot) ? 0 : 2;
        sum[first]++;
        sum[first + 1] += chunks.bytes(slot);
      }
    }
    List<AllocatorReport.Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < sums.length; bin++) {
      long[] sum = sums[bin];
      if (sum[0] + sum[2] > 0) {
        bins.add(new AllocatorReport.Bin(Quantum.BYTES << bin, sum[0], sum[1], sum[2], sum[3]));
      }
    }
    return bins;
  }

  private String occupancy() {
    if (tiled.bytes() == 0) {
      return "";
    }
    Occupancy occupancy = new Occupancy(tiled.bytes());
    for (AllocationRegion region : tiled.regions()) {
      for (int slot : tiled.slots(region)) {
        if (chunks.isFree(slot)) {
          occupancy.add('_', chunks.bytes(slot));
        } else {
          occupancy.add('*', chunks.requestedBytes(slot));
          occupancy.add('x', chunks.bytes(slot) - chunks.requestedBytes(slot));
        }
      }
    }
    return occupancy.bar();
  }
}
