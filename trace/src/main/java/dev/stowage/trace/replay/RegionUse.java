package dev.stowage.trace.replay;

import java.util.HashMap;
import java.util.Map;

/** The blocks in use of an allocator whose regions serve all requests. */
final class RegionUse {

  private record Block(int region, InUseBytes used) {}

  private final Map<Long, Block> blocks = new HashMap<>();

  /** The number of blocks in each region that has some. */
  private final Map<Integer, Integer> counts = new HashMap<>();

  private InUseBytes sum = InUseBytes.NONE;

  void add(int region, long address, InUseBytes used) {
    blocks.put(address, new Block(region, used));
    counts.merge(region, 1, Integer::sum);
    sum = sum.plus(used);
  }

  void remove(long address) {
    Block block = blocks.remove(address);
    if (block == null) {
      throw new IllegalStateException("no block in use starts at " + address);
    }
    counts.computeIfPresent(block.region(), (_, count) -> count == 1 ? null : count - 1);
    sum = sum.minus(block.used());
  }

  boolean isInUse(int region) {
    return counts.containsKey(region);
  }

  InUseBytes sum() {
    return sum;
  }

  /** {@return the block in use at an address} */
  InUseBytes at(long address) {
    Block block = blocks.get(address);
    if (block == null) {
      throw new IllegalStateException("no block in use starts at " + address);
    }
    return block.used();
  }
}
