package dev.stowage.trace.explain;

import dev.stowage.trace.replay.HeldRegion;
import dev.stowage.trace.replay.SimulatedAllocator.Range;
import dev.stowage.trace.replay.TraceReplay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The blocks of a replayed allocator after an event, with their requests. */
final class MemoryMap {

  /** The number of holes and of regions that are listed. */
  static final int MAX_LISTED = 10;

  /** The number of blocks that are listed for a region. */
  static final int MAX_BLOCKS = 3;

  private static final Comparator<Range> LARGEST_FIRST =
      Comparator.comparingLong(Range::bytes)
          .reversed()
          .thenComparing(Range::address, Long::compareUnsigned);

  private final TraceColumns columns;
  private final List<Range> ranges;
  private final Map<Integer, Long> regionBytes = new HashMap<>();
  private final Map<Long, Integer> allocations = new HashMap<>();

  /** Reads the blocks of a replay. Its ids are indices of allocations in the columns. */
  MemoryMap(TraceColumns columns, long event, TraceReplay replay) {
    this.columns = columns;
    ranges = replay.ranges();
    for (HeldRegion region : replay.regions()) {
      regionBytes.put(region.index(), region.bytes());
    }
    columns.forEachLive(
        event,
        allocation ->
            replay
                .address(Integer.toString(allocation))
                .ifPresent(address -> allocations.put(address, allocation)));
  }

  private BlockOwner owner(Range range) {
    Integer allocation = allocations.get(range.address());
    if (allocation == null) {
      // An older block that the recording frees more than once has no allocation in use.
      return new BlockOwner(0, true, range.address(), range.bytes(), 0, "", List.of());
    }
    return new BlockOwner(
        columns.event(allocation),
        columns.isOlder(allocation),
        range.address(),
        range.bytes(),
        columns.stream(allocation),
        columns.tag(allocation),
        columns.frames(allocation));
  }

  /** {@return the holes; of equal ones, those at the lowest addresses are listed} */
  WorstFailure.FreeMemory free() {
    List<Integer> free = new ArrayList<>();
    Map<Integer, Long> starts = new HashMap<>();
    for (int i = 0; i < ranges.size(); i++) {
      starts.putIfAbsent(ranges.get(i).region(), ranges.get(i).address());
      if (!ranges.get(i).isInUse()) {
        free.add(i);
      }
    }
    // The order of addresses is kept, because the sort is stable.
    free.sort(Comparator.comparingLong((Integer i) -> ranges.get(i).bytes()).reversed());
    return new WorstFailure.FreeMemory(
        free.stream().mapToLong(i -> ranges.get(i).bytes()).sum(),
        free.size(),
        free.stream()
            .limit(MAX_LISTED)
            .map(i -> hole(i, starts.getOrDefault(ranges.get(i).region(), 0L)))
            .toList());
  }

  private Hole hole(int index, long regionStart) {
    Range range = ranges.get(index);
    return new Hole(
        range.region(),
        range.address() - regionStart,
        range.bytes(),
        range.owner(),
        neighbour(range, index - 1),
        neighbour(range, index + 1));
  }

  private Optional<BlockOwner> neighbour(Range hole, int index) {
    if (index < 0 || index >= ranges.size()) {
      return Optional.empty();
    }
    Range other = ranges.get(index);
    boolean touches =
        other.address() + other.bytes() == hole.address()
            || hole.address() + hole.bytes() == other.address();
    return other.isInUse() && touches && other.region() == hole.region()
        ? Optional.of(owner(other))
        : Optional.empty();
  }

  /** {@return the regions with blocks in use and free bytes, those with the most first} */
  List<PinnedRegion> pinnedRegions() {
    Map<Integer, List<Range>> used = new HashMap<>();
    for (Range range : ranges) {
      if (range.isInUse()) {
        used.computeIfAbsent(range.region(), none -> new ArrayList<>()).add(range);
      }
    }
    List<PinnedRegion> pinned = new ArrayList<>();
    used.forEach((region, blocks) -> {
      long bytes = regionBytes.getOrDefault(region, 0L);
      long freeBytes = bytes - blocks.stream().mapToLong(Range::bytes).sum();
      if (freeBytes > 0) {
        pinned.add(
            new PinnedRegion(
                region,
                bytes,
                freeBytes,
                blocks.size(),
                blocks.stream().sorted(LARGEST_FIRST).limit(MAX_BLOCKS).map(this::owner).toList()));
      }
    });
    pinned.sort(
        Comparator.comparingLong(PinnedRegion::freeBytes)
            .reversed()
            .thenComparingInt(PinnedRegion::region));
    return pinned;
  }
}
