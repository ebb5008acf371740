package dev.stowage.trace.replay;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The pool of RAPIDS Memory Manager ({@code pool_memory_resource}, as of RMM 25.12), without
 * memory.
 *
 * <p>Requests are rounded up to 256 bytes and take the smallest free block, at the lowest address,
 * from which the rest is always split off. A freed block belongs to the stream that freed it.
 * Private pools have no meaning. Costs O(log n) for n blocks.
 */
public final class RmmPool implements SimulatedAllocator {

  /*
   * Each stream has its free blocks. A request searches the blocks of its stream, and then the
   * blocks of the other streams in the order of their first use. After that, it merges the blocks
   * of the other streams into its own, one stream after the other, until a block is large enough.
   * Then the pool grows: without a limit by as many bytes as it has, with a limit by half of the
   * rest, but at least by the request. Blocks of different growths are not merged. The pool returns
   * no memory.
   */

  private static final long ALIGNMENT = 256;

  private OptionalLong limitBytes;
  private final Map<Long, MergedRanges> free = new LinkedHashMap<>();
  private final RegionUse use = new RegionUse();
  private final List<Region> regions = new ArrayList<>();
  private int passedRegions;
  private long poolBytes;

  /**
   * Creates a pool.
   *
   * @param initialBytes the bytes with which it starts; a multiple of 256
   * @param limitBytes the most bytes; empty for any number
   * @throws IllegalArgumentException if {@code initialBytes} is negative, not a multiple of 256, or
   *     above the limit
   */
  public RmmPool(long initialBytes, OptionalLong limitBytes) {
    if (initialBytes < 0 || initialBytes % ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "initialBytes must be a multiple of 256: initialBytes=" + initialBytes);
    }
    if (initialBytes > limitBytes.orElse(Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "initialBytes must be at most the limit: initialBytes=%d, limitBytes=%d",
              initialBytes,
              limitBytes.orElseThrow()));
    }
    this.limitBytes =
        limitBytes.isPresent() ? OptionalLong.of(limitBytes.getAsLong() & -ALIGNMENT) : limitBytes;
    if (initialBytes > 0) {
      freeOf(0).add(grow(initialBytes));
    }
  }

  private MergedRanges freeOf(long stream) {
    return free.computeIfAbsent(stream, none -> new MergedRanges());
  }

  private MergedRanges.Range grow(long bytes) {
    Region region = new Region(regions.size(), poolBytes, bytes, "by stream");
    regions.add(region);
    poolBytes += bytes;
    return new MergedRanges.Range(region.address(), bytes, region.index());
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    if (bytes > Long.MAX_VALUE - ALIGNMENT) {
      return REFUSED;
    }
    long blockBytes = bytes + ALIGNMENT - 1 & -ALIGNMENT;
    MergedRanges own = freeOf(stream);
    MergedRanges source = own;
    MergedRanges.Range block = own.takeSmallest(blockBytes);
    if (block == null) {
      for (MergedRanges other : free.values()) {
        block = other.takeSmallest(blockBytes);
        if (block != null) {
          source = other;
          break;
        }
      }
    }
    if (block == null) {
      block = mergeUntil(own, blockBytes);
    }
    if (block == null) {
      long growth = growthBytes(blockBytes);
      if (growth == 0) {
        return REFUSED;
      }
      block = grow(growth);
    }
    if (block.bytes() > blockBytes) {
      source.add(
          new MergedRanges.Range(
              block.address() + blockBytes, block.bytes() - blockBytes, block.region()));
    }
    // Blocks have no rests: each one has the rounded bytes of its request.
    use.add(
        regions.get(block.region()),
        block.address(),
        new InUseBytes(bytes, blockBytes, blockBytes));
    return block.address();
  }

  private MergedRanges.@Nullable Range mergeUntil(MergedRanges own, long bytes) {
    Iterator<MergedRanges> others = free.values().iterator();
    while (others.hasNext()) {
      MergedRanges other = others.next();
      if (other != own) {
        own.addAll(other);
        others.remove();
        MergedRanges.Range block = own.takeSmallest(bytes);
        if (block != null) {
          return block;
        }
      }
    }
    return null;
  }

  /**
   * {@return the bytes by which the pool grows for a request; 0 if the limit does not permit it}
   */
  private long growthBytes(long bytes) {
    if (limitBytes.isEmpty()) {
      long growth = Math.max(bytes, poolBytes);
      // A device refuses what has no addresses; then the pool asks for less.
      return growth <= Long.MAX_VALUE - poolBytes
          ? growth
          : bytes <= Long.MAX_VALUE - poolBytes ? bytes : 0;
    }
    long rest = limitBytes.getAsLong() - poolBytes;
    long aligned = rest > Long.MAX_VALUE - ALIGNMENT ? rest : rest + ALIGNMENT - 1 & -ALIGNMENT;
    return bytes <= aligned ? Math.max(bytes, aligned / 2) : 0;
  }

  @Override
  public void free(long address, long stream) {
    long bytes = use.at(address).bytes();
    Region region = use.remove(address);
    freeOf(stream).add(new MergedRanges.Range(address, bytes, region.index()));
  }

  /** Does nothing: the pool returns no memory. */
  @Override
  public void releaseCached() {}

  @Override
  public long reservedBytes() {
    return poolBytes;
  }

  @Override
  public long peakReservedBytes() {
    return poolBytes;
  }

  @Override
  public long largestFreeBytes() {
    long most = 0;
    for (MergedRanges ranges : free.values()) {
      most = Math.max(most, ranges.largestBytes());
    }
    return most;
  }

  @Override
  public long deviceCalls() {
    return regions.size();
  }

  @Override
  public List<Region> regions() {
    return List.copyOf(regions);
  }

  @Override
  public List<Region> changedRegions() {
    List<Region> added = List.copyOf(regions.subList(passedRegions, regions.size()));
    passedRegions = regions.size();
    return added;
  }

  @Override
  public InUseBytes usedBytes() {
    return use.sum();
  }

  @Override
  public InUseBytes usedBytes(long address) {
    return use.at(address);
  }

  /** Visits all regions, which are few: the pool doubles as it grows. */
  @Override
  public FreeBytes freeBytes(long stream) {
    return use.freeBytes(regions);
  }

  @Override
  public Region regionOf(long address) {
    return use.regionOf(address);
  }

  @Override
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>(use.ranges());
    free.forEach((stream, blocks) -> {
      String owner = "stream " + Long.toUnsignedString(stream);
      for (MergedRanges.Range block : blocks.all()) {
        ranges.add(new Range(block.region(), block.address(), block.bytes(), false, owner));
      }
    });
    ranges.sort(Comparator.comparingLong(Range::address));
    return ranges;
  }

  @Override
  public void assumeLimit(long bytes) {
    if (limitBytes.isEmpty()) {
      limitBytes = OptionalLong.of(bytes & -ALIGNMENT);
    }
  }

  @Override
  public boolean mayRefuse(long bytes) {
    return limitBytes.isPresent() || bytes > Long.MAX_VALUE - ALIGNMENT;
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    long limit = limitBytes.orElse(Long.MAX_VALUE);
    long blockBytes =
        bytes > Long.MAX_VALUE - ALIGNMENT ? bytes : bytes + ALIGNMENT - 1 & -ALIGNMENT;
    OutOfMemoryNumbers numbers = Refusals.numbers(this, bytes, blockBytes, limit);
    return Refusals.of(
        numbers,
        String.format(
            Locale.ROOT,
            "%s requested on stream %d, which needs a block of %s.%s The largest free block has %s.",
            ByteCount.exact(bytes),
            stream,
            ByteCount.text(blockBytes),
            Refusals.permitted(numbers, blockBytes),
            ByteCount.text(largestFreeBytes())));
  }
}
