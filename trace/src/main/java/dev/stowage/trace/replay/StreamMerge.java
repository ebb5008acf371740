package dev.stowage.trace.replay;

import org.jspecify.annotations.Nullable;

/** Merges blocks that are not in use with their neighbours. */
final class StreamMerge {

  private StreamMerge() {}

  /** Merges a block with its neighbours, and adds the result to the free or unmapped blocks. */
  static void addMerged(Block block) {
    absorb(block, block.below);
    absorb(block, block.above);
    block.home.add(block);
  }

  private static void absorb(Block block, @Nullable Block neighbour) {
    if (neighbour == null || neighbour.isUsed || neighbour.isMapped != block.isMapped) {
      return;
    }
    block.home.remove(neighbour);
    block.address = Math.min(block.address, neighbour.address);
    block.bytes += neighbour.bytes;
    neighbour.unlink();
  }
}
