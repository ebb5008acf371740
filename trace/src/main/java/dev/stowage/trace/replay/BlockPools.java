package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The pools of PyTorch's allocator: one of small and one of large blocks, and private ones. */
final class BlockPools {

  private final BlockPool small = new BlockPool(PoolNumber.DEFAULT, true);
  private final BlockPool large = new BlockPool(PoolNumber.DEFAULT, false);
  private final Map<Long, BlockPool> privateSmall = new TreeMap<>();
  private final Map<Long, BlockPool> privateLarge = new TreeMap<>();

  /** {@return the pool for the small or the large requests of a memory pool} */
  BlockPool get(long pool, boolean isSmall) {
    if (pool == PoolNumber.DEFAULT) {
      return isSmall ? small : large;
    }
    return (isSmall ? privateSmall : privateLarge)
        .computeIfAbsent(pool, number -> new BlockPool(number, isSmall));
  }

  /** {@return all pools, the private ones last} */
  List<BlockPool> all() {
    List<BlockPool> all = new ArrayList<>(List.of(large, small));
    all.addAll(privateLarge.values());
    all.addAll(privateSmall.values());
    return all;
  }

  /**
   * {@return the free bytes by reason}
   *
   * @param bytes all free bytes
   * @param stream the stream of the request at this moment
   */
  FreeBytes freeBytes(long bytes, long stream) {
    long shared = small.freeBytes() + large.freeBytes();
    long own = 0;
    long kept = 0;
    for (BlockPool pool : List.of(small, large)) {
      Optional<StreamBlocks> blocks = pool.existing(stream);
      own += blocks.map(StreamBlocks::freeBytes).orElse(0L);
      kept += blocks.map(StreamBlocks::keptBytes).orElse(0L);
    }
    return new FreeBytes(own - kept, shared - own, bytes - shared, kept);
  }

  /** {@return the bytes of the largest free block} */
  long largestBytes() {
    long most = Math.max(large.largestBytes(), small.largestBytes());
    for (BlockPool pool : privateLarge.values()) {
      most = Math.max(most, pool.largestBytes());
    }
    for (BlockPool pool : privateSmall.values()) {
      most = Math.max(most, pool.largestBytes());
    }
    return most;
  }
}
