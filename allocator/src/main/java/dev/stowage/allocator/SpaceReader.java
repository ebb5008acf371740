package dev.stowage.allocator;

import dev.stowage.allocator.internal.SlotUse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
  private final SlotUse slots;

  /** Creates a reader of a space without slabs. */
  SpaceReader(RegionSpace space) {
    this(space, SlotUse.NONE);
  }

  /** Creates a reader of a space and of the slots in it, which were read later. */
  SpaceReader(RegionSpace space, SlotUse slots) {
    this.space = space;
    this.slots = slots;
    tiled = space.tiled();
    chunks = space.chunks();
  }

  /** {@return the allocations in use by ascending address, with slots in the place of slabs} */
  List<Allocation> allocations() {
    return Stream.concat(
            tiled.slotsInUse().stream().filter(slot -> !isSlab(slot)).map(space::allocation),
            slots.slots().stream().map(SpaceReader::allocation))
        .sorted(Comparator.comparingLong(Allocation::address))
        .toList();
  }

  private static Allocation allocation(SlotUse.Slot slot) {
    return new Allocation(
        0, slot.address(), slot.requestedBytes(), slot.bytes(), slot.tag(), List.of());
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
        Optional.ofNullable(slots.slabs().get(chunks.address(slot))));
  }

  // The report.

  /** {@return a report with slots in the place of slabs; resolves no stacks} */
  AllocatorReport report(String allocator) {
    List<AllocatorReport.Holder> ones = holders();
    AllocatorReport.Holder sum = sum(ones);
    AllocatorStatistics ofChunks = space.statistics();
    return new AllocatorReport(
        allocator,
        ofChunks.with(
            ofChunks.allocations() + slots.allocations(),
            sum.allocations(),
            sum.requestedBytes(),
            sum.bytes()),
        tiled.regions().size(),
        bins(),
        AllocatorReport.Holder.sums(ones.stream()));
  }

  private static AllocatorReport.Holder sum(List<AllocatorReport.Holder> ones) {
    return ones.stream()
        .reduce(new AllocatorReport.Holder("", 0, 0, 0), AllocatorReport.Holder::plus);
  }

  /**
   * {@return the holders of slots and of chunks that are no slabs, and one for the rest of the
   * slabs}
   */
  private List<AllocatorReport.Holder> holders() {
    List<AllocatorReport.Holder> ones = new ArrayList<>();
    for (SlotUse.Slot slot : slots.slots()) {
      ones.add(new AllocatorReport.Holder(slot.tag(), 1, slot.requestedBytes(), slot.bytes()));
    }
    long freeBytes = -sum(ones).bytes();
    for (int slot : tiled.slotsInUse()) {
      if (isSlab(slot)) {
        freeBytes += chunks.bytes(slot);
      } else {
        ones.add(
            new AllocatorReport.Holder(
                chunks.origin(slot).tag(), 1, chunks.requestedBytes(slot), chunks.bytes(slot)));
      }
    }
    if (freeBytes > 0) { // the slots are of a later moment
      ones.add(new AllocatorReport.Holder(FREE_SLOTS, 0, 0, freeBytes));
    }
    return ones;
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
}
