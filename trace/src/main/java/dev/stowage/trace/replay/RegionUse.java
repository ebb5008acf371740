package dev.stowage.trace.replay;

import dev.stowage.trace.replay.SimulatedAllocator.Range;
import dev.stowage.trace.replay.SimulatedAllocator.Region;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The blocks in use of an allocator with regions that serve all requests. */
public final class RegionUse {

  private record Block(Region region, long address, InUseBytes used) {

    Range range() {
      return new Range(region.index(), address, used.bytes(), true, "");
    }
  }

  private final Map<Long, Block> blocks = new HashMap<>();

  /** The bytes of the blocks of each region that has some, by its index. */
  private final Map<Integer, Long> bytes = new HashMap<>();

  private InUseBytes sum = InUseBytes.NONE;

  /** Creates the use of regions without blocks. */
  public RegionUse() {}

  /**
   * Adds a block.
   *
   * @param region its region
   * @param address its address
   * @param used its bytes
   */
  public void add(Region region, long address, InUseBytes used) {
    blocks.put(address, new Block(region, address, used));
    bytes.merge(region.index(), used.bytes(), Long::sum);
    sum = sum.plus(used);
  }

  /**
   * Removes a block.
   *
   * @param address its address
   * @return its region
   * @throws IllegalStateException if no block starts at the address
   */
  public Region remove(long address) {
    Block block = check(blocks.remove(address), address);
    bytes.merge(
        block.region().index(),
        -block.used().bytes(),
        (before, change) -> before + change == 0 ? null : before + change);
    sum = sum.minus(block.used());
    return block.region();
  }

  private static Block check(@Nullable Block block, long address) {
    if (block == null) {
      throw new IllegalStateException("no allocation is in use at address " + address);
    }
    return block;
  }

  /** {@return the bytes of the blocks in a region} */
  public long bytesIn(Region region) {
    return bytes.getOrDefault(region.index(), 0L);
  }

  /** {@return the bytes of all blocks} */
  public InUseBytes sum() {
    return sum;
  }

  /** {@return the block in use at an address} */
  public InUseBytes at(long address) {
    return check(blocks.get(address), address).used();
  }

  /** {@return the region of the block in use at an address} */
  public Region regionOf(long address) {
    return check(blocks.get(address), address).region();
  }

  /**
   * {@return the free bytes of regions}
   *
   * @param regions all regions
   */
  public FreeBytes freeBytes(Collection<Region> regions) {
    long freeBytes = -sum.bytes();
    long keptBytes = 0;
    for (Region region : regions) {
      freeBytes += region.bytes();
      keptBytes += bytesIn(region) == 0 ? region.bytes() : 0;
    }
    return FreeBytes.ofRegions(freeBytes, keptBytes);
  }

  /** {@return the blocks by ascending address} */
  List<Range> ranges() {
    return blocks.values().stream()
        .map(Block::range)
        .sorted(Comparator.comparingLong(Range::address))
        .toList();
  }

  /**
   * {@return the blocks and the free ranges between them, by ascending address}
   *
   * @param regions all regions, by ascending address
   */
  public List<Range> ranges(Collection<Region> regions) {
    Map<Integer, List<Range>> used =
        ranges().stream().collect(Collectors.groupingBy(Range::region));
    List<Range> ranges = new ArrayList<>();
    for (Region region : regions) {
      long end = region.address();
      for (Range block : used.getOrDefault(region.index(), List.of())) {
        addFree(region, end, block.address(), ranges);
        ranges.add(block);
        end = block.address() + block.bytes();
      }
      addFree(region, end, region.address() + region.bytes(), ranges);
    }
    return ranges;
  }

  private static void addFree(Region region, long start, long end, List<Range> ranges) {
    if (start < end) {
      ranges.add(new Range(region.index(), start, end - start, false, ""));
    }
  }
}
