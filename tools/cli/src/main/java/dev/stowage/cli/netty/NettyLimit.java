package dev.stowage.cli.netty;

/**
 * A limit of direct memory.
 *
 * @param bytes the limit
 * @param chunkBytes the bytes of a chunk, by which the limit could be smaller
 */
public record NettyLimit(long bytes, long chunkBytes) {}
