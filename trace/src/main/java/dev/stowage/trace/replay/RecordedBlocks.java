package dev.stowage.trace.replay;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The free blocks of a recorded allocator, as its addresses tell.
 *
 * <p>The allocator takes the smallest free block that fits in the pool of the request. So if it
 * left a better block, that block is in another pool.
 */
final class RecordedBlocks {

  /** The number of better blocks to look at for a request; more are in the same few segments. */
  private static final int MOST_LEFT = 64;

  private static final Comparator<Range> BEST_FIRST =
      Comparator.comparingLong((Range range) -> range.bytes)
          .thenComparingLong(range -> range.address);

  /** A range of one extent that is free or in use. */
  private static final class Range {

    final Extent extent;
    long address;
    long bytes;

    /** True if it is a segment that the device provided for the next request. */
    boolean isNew;

    Range(Extent extent, long address, long bytes) {
      this.extent = extent;
      this.address = address;
      this.bytes = bytes;
    }
  }

  private record Lane(long stream, boolean isSmall) {}

  private final PytorchSettings settings;
  private final TreeMap<Long, Range> free = new TreeMap<>();
  private final Map<Lane, NavigableSet<Range>> bySize = new HashMap<>();
  private final Map<Long, Range> used = new HashMap<>();

  RecordedBlocks(PytorchSettings settings) {
    this.settings = settings;
  }

  private NavigableSet<Range> lane(Extent extent) {
    return bySize.computeIfAbsent(
        new Lane(extent.stream, extent.isSmall), none -> new TreeSet<>(BEST_FIRST));
  }

  /** Adds memory from the device, which came for the next request or was there from the start. */
  void add(Extent extent, long address, long bytes) {
    Range range = new Range(extent, address, bytes);
    range.isNew = extent.createdAt >= 0;
    addMerged(range);
  }

  /** Adds a block that is in use from the start, in free memory. */
  void addUsed(long address, long bytes) {
    Range range = containing(address);
    if (range != null && address + bytes <= range.address + range.bytes) {
      remove(range);
      addRest(range, range.address, address);
      addRest(range, address + bytes, range.address + range.bytes);
      used.put(address, new Range(range.extent, address, bytes));
    }
  }

  /** Takes a block for a request, and separates its extent from the extents of better blocks. */
  void allocate(long address, long bytes) {
    Range range = containing(address);
    long blockBytes = settings.blockBytes(Math.max(1, bytes));
    if (range == null || blockBytes > range.address + range.bytes - address) {
      return; // the recording has lost events
    }
    separate(range, blockBytes);
    remove(range);
    addRest(range, range.address, address);
    long rest = range.address + range.bytes - address - blockBytes;
    if (!settings.splits(rest, blockBytes, range.extent.isSmall, range.extent.isExpandable)) {
      blockBytes += rest;
    }
    addRest(range, address + blockBytes, range.address + range.bytes);
    used.put(address, new Range(range.extent, address, blockBytes));
  }

  private void separate(Range taken, long blockBytes) {
    if (taken.extent.isExpandable) {
      return; // which block is better also depends on the memory that could be mapped
    }
    int count = 0;
    for (Range better :
        lane(taken.extent).tailSet(new Range(taken.extent, Long.MIN_VALUE, blockBytes))) {
      if ((better == taken && !taken.isNew) || count++ == MOST_LEFT) {
        return;
      }
      if (better.extent != taken.extent && settings.fits(better.bytes, blockBytes)) {
        taken.extent.separateFrom(better.extent);
      }
    }
  }

  void free(long address) {
    Range range = used.remove(address);
    if (range != null) {
      addMerged(range);
    }
  }

  /** Removes memory that was returned to the device. */
  void release(long address, long bytes) {
    Range range = containing(address);
    if (range != null) {
      remove(range);
      addRest(range, range.address, address);
      addRest(range, address + bytes, range.address + range.bytes);
    }
  }

  /** {@return true if an extent has no block in use} */
  boolean isFree(Extent extent) {
    Range range = free.get(extent.start);
    return range != null && range.extent == extent && range.address + range.bytes >= extent.top;
  }

  private @Nullable Range containing(long address) {
    Map.Entry<Long, Range> below = free.floorEntry(address);
    return below == null || address >= below.getKey() + below.getValue().bytes
        ? null
        : below.getValue();
  }

  private void addRest(Range of, long from, long to) {
    if (from < to) {
      put(new Range(of.extent, from, to - from));
    }
  }

  private void addMerged(Range range) {
    Map.Entry<Long, Range> below = free.lowerEntry(range.address);
    if (below != null
        && below.getValue().extent == range.extent
        && below.getKey() + below.getValue().bytes == range.address) {
      remove(below.getValue());
      range.address = below.getKey();
      range.bytes += below.getValue().bytes;
    }
    Range above = free.get(range.address + range.bytes);
    if (above != null && above.extent == range.extent) {
      remove(above);
      range.bytes += above.bytes;
    }
    put(range);
  }

  private void put(Range range) {
    free.put(range.address, range);
    lane(range.extent).add(range);
  }

  private void remove(Range range) {
    free.remove(range.address);
    lane(range.extent).remove(range);
  }
}
