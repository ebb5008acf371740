package dev.stowage.allocator.internal;

/**
 * A chunk in use of another allocator.
 *
 * @param address its address, a multiple of 256
 * @param bytes its size, a multiple of 256
 */
public record RestoredChunk(long address, long bytes) {}
