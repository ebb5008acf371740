package dev.stowage.trace.pytorch;

/**
 * A block of a segment.
 *
 * @param address the address, an unsigned number
 * @param bytes the bytes of the block
 * @param requestedBytes the requested bytes of the last request for the block
 * @param state the state
 * @param stack the stack of the request in the {@link StackTable} of the snapshot
 */
public record SnapshotBlock(
    long address, long bytes, long requestedBytes, BlockState state, int stack) {}
