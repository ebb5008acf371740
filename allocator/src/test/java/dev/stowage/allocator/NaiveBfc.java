package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Best fit with coalescing as documented, with lists and linear searches. */
final class NaiveBfc {

  private static final class Chunk {
    final long address;
    long bytes;
    long requested;
    boolean inUse;

    Chunk(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
    }

    long padding(long alignment) {
      return (alignment - address % alignment) % alignment;
    }
  }

  private static final class Region {
    final long address;
    long bytes;
    boolean wasLonger;
    boolean refusesMore;
    final List<Chunk> chunks = new ArrayList<>();

    Region(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
      chunks.add(new Chunk(address, bytes));
    }

    long address() {
      return address;
    }

    long bytes() {
      return bytes;
    }

    /** {@return the address of the free bytes at the end} */
    long freeEnd() {
      Chunk last = chunks.getLast();
      return last.inUse ? address + bytes : last.address;
    }

    boolean isFree() {
      return chunks.stream().noneMatch(chunk -> chunk.inUse);
    }
  }

  private final SubAllocator device;
  private final BfcOptions options;
  private final long granularity;
  private long limitInForce;
  private long limit;
  private final List<Region> regions = new ArrayList<>();
  private long nextRegion;
  private boolean expands;
  private boolean collects;
  private long allocations;
  private long peakInUse;
  private long peakReserved;
  private long largestChunk;

  /** The region that became longer, or was added, last. */
  private Region grown = new Region(0, 0);

  NaiveBfc(SubAllocator device, BfcOptions options) {
    this.device = device;
    this.options = options;
    granularity = device.granularityBytes();
    limitInForce = options.limitBytes();
    limit = limitInForce / granularity * granularity;
    nextRegion =
        options.growth() == RegionGrowth.ONE_REGION ? limit : grains(options.firstRegionBytes());
    boolean expandable = options.growth() == RegionGrowth.EXPANDABLE;
    expands = expandable && device.canLengthen();
    collects = options.hasGarbageCollection() || (expandable && !device.canLengthen());
  }

  /**
   * {@return a copy with the same regions and chunks, and with another device and other options}
   */
  NaiveBfc copy(SubAllocator otherDevice, BfcOptions otherOptions) {
    NaiveBfc copy = new NaiveBfc(otherDevice, otherOptions);
    copy.nextRegion = nextRegion;
    copy.expands = expands;
    copy.collects = collects || otherOptions.hasGarbageCollection();
    for (Region region : regions) {
      Region copied = new Region(region.address, region.bytes);
      copied.wasLonger = region.wasLonger;
      copied.refusesMore = region.refusesMore;
      copied.chunks.clear();
      for (Chunk chunk : region.chunks) {
        Chunk copiedChunk = new Chunk(chunk.address, chunk.bytes);
        copiedChunk.inUse = chunk.inUse;
        copied.chunks.add(copiedChunk);
      }
      copy.regions.add(copied);
    }
    return copy;
  }

  /** Lengthens the last region without asking the device, and beyond the limit. */
  void lengthen(long bytes) {
    Region last = regions.getLast();
    last.chunks.add(new Chunk(last.address + last.bytes, bytes));
    last.bytes += bytes;
    coalesce(last.chunks);
  }

  /** {@return the addresses in use by region} */
  List<List<Long>> addressesInUse() {
    return regions.stream()
        .map(region ->
            region.chunks.stream().filter(chunk -> chunk.inUse).map(c -> c.address).toList())
        .toList();
  }

  /** {@return the bytes of the chunk in use at an address} */
  long chunkBytes(long address) {
    return chunks()
        .filter(chunk -> chunk.inUse && chunk.address == address)
        .findFirst()
        .orElseThrow()
        .bytes;
  }

  private long grains(long bytes) {
    return (bytes + granularity - 1) / granularity * granularity;
  }

  private static long up(long bytes) {
    return (bytes + 255) / 256 * 256;
  }

  OptionalLong allocate(long bytes, long asked) {
    long rounded = up(bytes);
    long alignment = Math.max(256, asked);
    long padding = Math.max(0, alignment - device.alignmentBytes());
    Chunk found = smallest(rounded, alignment);
    while (found == null) {
      boolean more =
          expands ? expandOrExtend(rounded, alignment, padding) : extend(rounded + padding);
      if (!more && !giveBackOne(rounded + padding)) {
        return OptionalLong.empty();
      }
      found = smallest(rounded, alignment);
      if (found == null && more) {
        found = grown.chunks.getLast();
      }
    }
    Chunk taken = split(found, rounded, alignment);
    taken.inUse = true;
    taken.requested = bytes;
    allocations++;
    peakInUse = Math.max(peakInUse, sum(true));
    largestChunk = Math.max(largestChunk, taken.bytes);
    return OptionalLong.of(taken.address);
  }

  /** {@return true if a request needs no more memory} */
  boolean holds(long bytes, long alignment) {
    return smallest(up(bytes), Math.max(256, alignment)) != null;
  }

  /** Counts an allocation that takes a chunk in use. */
  void reuse(long address, long bytes) {
    chunks().filter(chunk -> chunk.address == address).findFirst().orElseThrow().requested = bytes;
    allocations++;
  }

  private Stream<Chunk> chunks() {
    return regions.stream().flatMap(region -> region.chunks.stream());
  }

  /** {@return the best fit; after many chunks that do not hold it, one with room to spare} */
  private @Nullable Chunk smallest(long rounded, long alignment) {
    // Regions are sorted, and sorting is stable, so that the first of equal ones is the lowest.
    List<Chunk> longEnough =
        chunks()
            .filter(chunk -> !chunk.inUse && chunk.bytes >= rounded)
            .sorted(Comparator.comparingLong(chunk -> chunk.bytes))
            .toList();
    for (int i = 0; i < longEnough.size(); i++) {
      Chunk chunk = longEnough.get(i);
      long needed = i < 1024 ? rounded + chunk.padding(alignment) : rounded + alignment - 256;
      if (chunk.bytes >= needed) {
        return chunk;
      }
    }
    return null;
  }

  private Chunk split(Chunk found, long rounded, long alignment) {
    List<Chunk> chunks =
        regions.stream().filter(r -> r.chunks.contains(found)).findFirst().orElseThrow().chunks;
    Chunk taken = found;
    if (found.padding(alignment) > 0) {
      long padding = found.padding(alignment);
      taken = new Chunk(found.address + padding, found.bytes - padding);
      chunks.add(chunks.indexOf(found) + 1, taken);
      found.bytes = padding;
    }
    if (taken.bytes >= 2 * rounded || taken.bytes - rounded >= options.splitThresholdBytes()) {
      chunks.add(
          chunks.indexOf(taken) + 1, new Chunk(taken.address + rounded, taken.bytes - rounded));
      taken.bytes = rounded;
    }
    return taken;
  }

  /**
   * A region that the device refused to lengthen, although it had the memory, is not lengthened
   * again.
   */
  private boolean expandOrExtend(long rounded, long alignment, long padding) {
    List<Region> before = List.copyOf(regions);
    List<Long> longer = before.stream().map(r -> longerBytes(r, rounded, alignment)).toList();
    long reservedBefore = reserved();
    List<Region> refusing = new ArrayList<>();
    boolean more = expand(rounded, alignment, refusing) || extend(rounded + padding);
    for (Region region : refusing) {
      long lacking = longer.get(before.indexOf(region)) - region.bytes;
      if (more && lacking <= reserved() - reservedBefore) {
        region.refusesMore = true;
        collects = true;
        expands = expands && region.wasLonger;
      }
    }
    return more;
  }

  private long longerBytes(Region region, long rounded, long alignment) {
    long start = region.freeEnd();
    while (start % alignment > 0) {
      start++;
    }
    return grains(start + rounded - region.address);
  }

  private boolean expand(long rounded, long alignment, List<Region> refusing) {
    for (Region region : regions.reversed()) {
      long newBytes = longerBytes(region, rounded, alignment);
      if (region.refusesMore || reserved() - region.bytes + newBytes > limit) {
        continue;
      }
      if (!device.resize(region.address, region.bytes, newBytes)) {
        refusing.add(region);
      } else {
        region.wasLonger = true;
        region.chunks.add(new Chunk(region.address + region.bytes, newBytes - region.bytes));
        region.bytes = newBytes;
        coalesce(region.chunks);
        grown = region;
        peakReserved = Math.max(peakReserved, reserved());
        return true;
      }
    }
    return false;
  }

  private boolean extend(long lacking) {
    long needed = grains(lacking);
    if (needed > limit - reserved()) {
      return false;
    }
    if (expands) {
      OptionalLong address = device.allocate(needed);
      address.ifPresent(at -> add(at, needed));
      return address.isPresent();
    }
    if (options.growth() == RegionGrowth.EXPANDABLE) {
      long largest = regions.stream().mapToLong(Region::bytes).max().orElse(0);
      nextRegion = Math.max(grains(options.firstRegionBytes()), 2 * largest);
    }
    boolean doubled = nextRegion < needed;
    while (nextRegion < needed) {
      nextRegion *= 2;
    }
    long bytes = Math.min(nextRegion, limit - reserved());
    OptionalLong address = device.allocate(bytes);
    while (address.isEmpty()) {
      long less = grains((long) ((float) bytes * 0.9f));
      long asked = bytes;
      bytes = less < bytes ? less : bytes - granularity;
      if (bytes < needed) {
        if (options.growth() != RegionGrowth.EXPANDABLE || asked == needed) {
          return false;
        }
        bytes = needed;
      }
      address = device.allocate(bytes);
    }
    nextRegion = doubled ? nextRegion : Math.min(1L << 62, 2 * nextRegion);
    add(address.getAsLong(), bytes);
    return true;
  }

  private void add(long address, long bytes) {
    grown = new Region(address, bytes);
    regions.add(grown);
    regions.sort(Comparator.comparingLong(Region::address));
    peakReserved = Math.max(peakReserved, reserved());
  }

  private boolean giveBackOne(long needed) {
    List<Region> free = new ArrayList<>(regions.stream().filter(Region::isFree).toList());
    long freeBytes = free.stream().mapToLong(Region::bytes).sum();
    if (!collects || free.isEmpty() || needed > limit - reserved() + freeBytes) {
      return false;
    }
    Region largest = free.getFirst();
    for (Region region : free) {
      largest = region.bytes > largest.bytes ? region : largest;
    }
    returnSlabs(largest);
    return true;
  }

  private void returnSlabs(Region region) {
    device.free(region.address, region.bytes);
    regions.remove(region);
  }

  long trim() {
    long before = reserved();
    List<RuntimeException> failures = new ArrayList<>();
    for (Region region :
        regions.stream()
            .filter(Region::isFree)
            .sorted(Comparator.comparingLong(Region::bytes).reversed())
            .toList()) {
      try {
        returnSlabs(region);
      } catch (RuntimeException failure) {
        failures.add(failure);
      }
    }
    for (Region region : regions) {
      try {
        if (options.growth() == RegionGrowth.EXPANDABLE && !region.isFree()) {
          giveEndBack(region);
        }
      } catch (RuntimeException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    return before - reserved();
  }

  void setLimit(long bytes) {
    long target = bytes / granularity * granularity;
    RuntimeException failure = null;
    List<Region> inOrder = new ArrayList<>(regions.stream().filter(Region::isFree).toList());
    inOrder.sort(Comparator.comparingLong(Region::bytes).reversed());
    if (options.growth() == RegionGrowth.EXPANDABLE) {
      inOrder.addAll(regions.stream().filter(region -> !region.isFree()).toList());
    }
    for (Region region : inOrder) {
      long excess = reserved() - target;
      try {
        if (excess > 0 && region.isFree()) {
          returnSlabs(region);
        } else if (excess > 0) {
          giveEndBack(
              region, Math.max(region.bytes - excess, grains(region.freeEnd() - region.address)));
        }
      } catch (RuntimeException thrown) {
        failure = failure == null ? thrown : failure;
      }
    }
    limitInForce = Math.max(bytes, reserved());
    limit = Math.max(target, reserved());
    if (options.growth() == RegionGrowth.ONE_REGION) {
      nextRegion = limit;
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void trim(Region region) {
    if (region.isFree()) {
      returnSlabs(region);
    } else if (expands) {
      giveEndBack(region);
    }
  }

  private void giveEndBack(Region region) {
    giveEndBack(region, grains(region.freeEnd() - region.address));
  }

  private void giveEndBack(Region region, long kept) {
    if (kept < region.bytes && device.resize(region.address, region.bytes, kept)) {
      long start = region.chunks.removeLast().address;
      region.bytes = kept;
      region.refusesMore = false;
      if (start < region.address + kept) {
        region.chunks.add(new Chunk(start, region.address + kept - start));
      }
    }
  }

  /** {@return the address, free bytes and last allocation of each region that is partly free} */
  List<List<Long>> pinned() {
    return regions.stream()
        .filter(region -> region.chunks.stream().anyMatch(chunk -> !chunk.inUse))
        .map(region ->
            List.of(
                region.address,
                region.chunks.stream().filter(c -> !c.inUse).mapToLong(c -> c.bytes).sum(),
                region.chunks.stream()
                    .filter(chunk -> chunk.inUse)
                    .mapToLong(chunk -> chunk.address)
                    .max()
                    .orElse(-1)))
        .toList();
  }

  /** Frees a chunk and keeps the end of its region. */
  void release(long address) {
    for (Region region : regions) {
      region.chunks.stream()
          .filter(chunk -> chunk.address == address)
          .forEach(chunk -> chunk.inUse = false);
      coalesce(region.chunks);
    }
  }

  void free(long address) {
    for (Region region : regions) {
      List<Chunk> chunks = region.chunks;
      for (int i = 0; i < chunks.size(); i++) {
        if (chunks.get(i).address == address && chunks.get(i).inUse) {
          chunks.get(i).inUse = false;
          coalesce(chunks);
          if (options.growth() == RegionGrowth.EXPANDABLE
              && address >= region.freeEnd()
              && region.address + region.bytes - region.freeEnd() >= options.trimThresholdBytes()) {
            trim(region);
          }
          return;
        }
      }
    }
    throw new AssertionError("not in use: " + address);
  }

  private static void coalesce(List<Chunk> chunks) {
    for (int i = chunks.size() - 1; i > 0; i--) {
      if (!chunks.get(i).inUse && !chunks.get(i - 1).inUse) {
        chunks.get(i - 1).bytes += chunks.remove(i).bytes;
      }
    }
  }

  boolean isInUse(long address) {
    return chunks().anyMatch(chunk -> chunk.inUse && chunk.address == address);
  }

  List<BfcAllocator.Region> regions() {
    return regions.stream().map(r -> new BfcAllocator.Region(r.address, r.bytes)).toList();
  }

  private long reserved() {
    return regions.stream().mapToLong(Region::bytes).sum();
  }

  private long sum(boolean inUse) {
    return chunks().filter(chunk -> chunk.inUse == inUse).mapToLong(chunk -> chunk.bytes).sum();
  }

  void clearPeaks() {
    peakInUse = sum(true);
    peakReserved = reserved();
    largestChunk = 0;
  }

  AllocatorStatistics statistics() {
    return new AllocatorStatistics(
        allocations,
        chunks().filter(chunk -> chunk.inUse).count(),
        chunks().filter(chunk -> chunk.inUse).mapToLong(chunk -> chunk.requested).sum(),
        sum(true),
        peakInUse,
        largestChunk,
        limitInForce,
        reserved(),
        peakReserved,
        chunks().filter(chunk -> !chunk.inUse).mapToLong(chunk -> chunk.bytes).max().orElse(0));
  }
}
