package dev.stowage.trace.pytorch;

import java.util.OptionalLong;

/**
 * A block that was in use when the recording began.
 *
 * @param address the address, an unsigned number
 * @param requestedBytes the requested bytes
 * @param blockBytes the bytes of the block; empty if the block was freed during the recording
 * @param stream the stream
 * @param pool the pool
 * @param stack the stack of the request, in the {@link StackTable} of the snapshot
 */
public record OlderBlock(
    long address,
    long requestedBytes,
    OptionalLong blockBytes,
    long stream,
    PoolId pool,
    int stack) {}
