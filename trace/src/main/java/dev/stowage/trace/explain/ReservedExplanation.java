package dev.stowage.trace.explain;

import dev.stowage.trace.replay.ReservedMemory;
import java.util.Optional;

/**
 * The reasons why more bytes are reserved than requested at a moment.
 *
 * @param memory the reserved bytes in parts
 * @param pinner the line of code that keeps the most holes; empty if there are no holes
 */
public record ReservedExplanation(ReservedMemory memory, Optional<HolePinner> pinner) {

  /**
   * A line of code whose blocks keep free memory from being released. Blocks of other lines may
   * keep the same memory.
   *
   * @param line the line, or a remark if it is not known
   * @param blocks the number of these blocks
   * @param blockBytes the bytes of these blocks
   * @param holeBytes the free bytes that they keep
   */
  public record HolePinner(String line, long blocks, long blockBytes, long holeBytes) {}
}
