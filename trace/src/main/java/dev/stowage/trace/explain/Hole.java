package dev.stowage.trace.explain;

import java.util.Optional;

/**
 * A free block.
 *
 * @param region the index of its region
 * @param offset the offset in the region
 * @param bytes the size
 * @param owner the stream and pool that hold it, such as {@code stream 0, large blocks}; empty if
 *     the allocator does not divide free blocks
 * @param below the block in use directly below the hole; empty at the start of the region
 * @param above the block in use directly above the hole; empty at the end of the region
 */
public record Hole(
    int region,
    long offset,
    long bytes,
    String owner,
    Optional<BlockOwner> below,
    Optional<BlockOwner> above) {}
