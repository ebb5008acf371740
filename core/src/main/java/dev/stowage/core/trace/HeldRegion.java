package dev.stowage.core.trace;

/**
 * A region that a replay holds.
 *
 * @param index which one, as in {@link Placement.Spot}: regions that were given back keep theirs
 * @param bytes its size
 */
public record HeldRegion(int index, long bytes) {}
