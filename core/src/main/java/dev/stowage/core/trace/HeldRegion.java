package dev.stowage.core.trace;

/**
 * A region that the allocator of a replay holds.
 *
 * @param index its index, as in {@link Placement.Spot}; it does not change when other regions are
 *     returned
 * @param bytes its size in bytes
 */
public record HeldRegion(int index, long bytes) {}
