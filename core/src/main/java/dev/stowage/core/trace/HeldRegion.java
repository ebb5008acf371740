package dev.stowage.core.trace;

/**
 * A region of a replay.
 *
 * @param index its index, as in {@link Placement.Spot}; it does not change if others go back
 * @param bytes its size
 */
public record HeldRegion(int index, long bytes) {}
