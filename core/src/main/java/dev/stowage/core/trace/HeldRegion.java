package dev.stowage.core.trace;

/**
 * A region that a replay holds.
 *
 * @param index which one, as in {@link Placement.Spot}; it stays the same while others are given
 *     back
 * @param bytes its size
 */
public record HeldRegion(int index, long bytes) {}
