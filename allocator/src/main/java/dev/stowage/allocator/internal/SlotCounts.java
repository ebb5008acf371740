package dev.stowage.allocator.internal;

/**
 * The difference between slots and slabs, which the statistics of an allocator count.
 *
 * @param allocations the granted slabs and the reserved ids that no slot has had, negative
 * @param inUse the slots in use, without the slabs
 * @param requestedBytes the requested bytes of slots, without the bytes of the slabs
 * @param bytesInUse the bytes of slots that are of a later moment than their slabs
 */
public record SlotCounts(long allocations, long inUse, long requestedBytes, long bytesInUse) {}
