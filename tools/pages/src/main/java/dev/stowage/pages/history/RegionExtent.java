package dev.stowage.pages.history;

/**
 * The size of a region over the events.
 *
 * @param index the index of the region, in the order of addresses
 * @param owner the stream and pool that hold it, such as {@code stream 0, large blocks}; {@code by
 *     stream} if each stream has free blocks of its own, empty if all streams share them
 * @param bytes the size, 0 when the region is not reserved
 */
public record RegionExtent(int index, String owner, StepCurve bytes) {}
