package dev.stowage.core.bfc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Best fit with coalescing as documented: lists, and a linear search for everything. */
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

  private record Region(long address, long bytes, List<Chunk> chunks) {
    boolean isFree() {
      return chunks.stream().noneMatch(chunk -> chunk.inUse);
    }
  }

  private final SubAllocator device;
  private final BfcOptions options;
  private final long limit;
  private final List<Region> regions = new ArrayList<>();
  private long nextRegion;
  private long allocations;
  private long peakInUse;
  private long peakReserved;
  private long largestChunk;

  NaiveBfc(SubAllocator device, BfcOptions options) {
    this.device = device;
    this.options = options;
    limit = options.limitBytes() / 256 * 256;
    nextRegion = options.growth() ? Math.min(limit, up(options.firstRegionBytes())) : limit;
  }

  private static long up(long bytes) {
    return (bytes + 255) / 256 * 256;
  }

  OptionalLong allocate(long bytes, long asked) {
    long rounded = up(bytes);
    long alignment = Math.max(256, asked);
    Chunk found = smallest(rounded, alignment);
    while (found == null) {
      if (!extend(rounded + alignment - 256) && !giveBackOne(rounded + alignment - 256)) {
        return OptionalLong.empty();
      }
      found = smallest(rounded, alignment);
    }
    Chunk taken = split(found, rounded, alignment);
    taken.inUse = true;
    taken.requested = bytes;
    allocations++;
    peakInUse = Math.max(peakInUse, sum(true));
    largestChunk = Math.max(largestChunk, taken.bytes);
    return OptionalLong.of(taken.address);
  }

  private Stream<Chunk> chunks() {
    return regions.stream().flatMap(region -> region.chunks.stream());
  }

  private @Nullable Chunk smallest(long rounded, long alignment) {
    Chunk best = null;
    for (Region region : regions) {
      for (Chunk chunk : region.chunks) {
        boolean fits = !chunk.inUse && chunk.bytes - rounded >= chunk.padding(alignment);
        // Regions are sorted, so that the first of equal ones is the lowest.
        if (fits && (best == null || chunk.bytes < best.bytes)) {
          best = chunk;
        }
      }
    }
    return best;
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
    if (taken.bytes >= 2 * rounded || taken.bytes - rounded >= options.maxDeadBytes()) {
      chunks.add(
          chunks.indexOf(taken) + 1, new Chunk(taken.address + rounded, taken.bytes - rounded));
      taken.bytes = rounded;
    }
    return taken;
  }

  private boolean extend(long needed) {
    if (needed > limit - reserved()) {
      return false;
    }
    boolean doubled = nextRegion < needed;
    while (nextRegion < needed) {
      nextRegion *= 2;
    }
    long bytes = Math.min(nextRegion, limit - reserved());
    OptionalLong address = device.allocate(bytes);
    while (address.isEmpty()) {
      long less = up((long) ((float) bytes * 0.9f));
      bytes = less < bytes ? less : bytes - 256;
      if (bytes < needed) {
        return false;
      }
      address = device.allocate(bytes);
    }
    nextRegion = doubled ? nextRegion : Math.min(1L << 62, 2 * nextRegion);
    long at = address.getAsLong();
    regions.add(new Region(at, bytes, new ArrayList<>(List.of(new Chunk(at, bytes)))));
    regions.sort(Comparator.comparingLong(Region::address));
    peakReserved = Math.max(peakReserved, reserved());
    return true;
  }

  private boolean giveBackOne(long needed) {
    List<Region> free = new ArrayList<>(regions.stream().filter(Region::isFree).toList());
    long freeBytes = free.stream().mapToLong(Region::bytes).sum();
    if (!options.garbageCollection() || free.isEmpty() || needed > limit - reserved() + freeBytes) {
      return false;
    }
    Region largest = free.getFirst();
    for (Region region : free) {
      largest = region.bytes > largest.bytes ? region : largest;
    }
    giveBack(largest);
    return true;
  }

  private void giveBack(Region region) {
    regions.remove(region);
    device.free(region.address, region.bytes);
  }

  long trim() {
    long before = reserved();
    regions.stream()
        .filter(Region::isFree)
        .sorted(Comparator.comparingLong(Region::bytes).reversed())
        .toList()
        .forEach(this::giveBack);
    return before - reserved();
  }

  void free(long address) {
    for (Region region : regions) {
      List<Chunk> chunks = region.chunks;
      for (int i = 0; i < chunks.size(); i++) {
        if (chunks.get(i).address == address && chunks.get(i).inUse) {
          chunks.get(i).inUse = false;
          coalesce(chunks);
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
        options.limitBytes(),
        reserved(),
        peakReserved,
        chunks().filter(chunk -> !chunk.inUse).mapToLong(chunk -> chunk.bytes).max().orElse(0));
  }
}
