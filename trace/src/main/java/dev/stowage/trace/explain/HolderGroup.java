package dev.stowage.trace.explain;

import java.util.Comparator;
import java.util.List;

/**
 * Allocations in use with the same key.
 *
 * @param key the line, the stack, the tag, the stream or the size
 * @param bytes their requested bytes
 * @param blocks their number
 * @param frames the frames of a stack, the innermost first; empty for other keys
 */
public record HolderGroup(String key, long bytes, long blocks, List<String> frames) {

  /** The largest first; of equal ones the one with more blocks, and then by key. */
  static final Comparator<HolderGroup> LARGEST_FIRST =
      Comparator.comparingLong(HolderGroup::bytes)
          .thenComparingLong(HolderGroup::blocks)
          .reversed()
          .thenComparing(HolderGroup::key);

  /** Creates a group. */
  public HolderGroup {
    frames = List.copyOf(frames);
  }

  HolderGroup plus(HolderGroup other) {
    return new HolderGroup(key, bytes + other.bytes, blocks + other.blocks, frames);
  }
}
