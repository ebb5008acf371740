package dev.stowage.budget;

/**
 * A part of the memory of a service.
 *
 * @param name the name
 * @param loadingBytes the bytes when the last session is being created
 * @param runningBytes the bytes when all sessions have run
 * @param how the origin of the bytes
 */
public record MemoryPart(String name, long loadingBytes, long runningBytes, PartSource how) {}
