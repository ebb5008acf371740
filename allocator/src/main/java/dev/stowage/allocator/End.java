package dev.stowage.allocator;

/**
 * An end of the region of an allocator {@linkplain BfcOptions#withTwoEnds() with two ends}.
 *
 * <p>As {@code AllocationEnd} of XLA.
 */
public enum End {

  /** The end at the lowest address, from which allocations grow up. */
  LOW,

  /** The end at the highest address, from which allocations grow down. */
  HIGH
}
