package dev.stowage.cuda;

/**
 * A device that the driver knows.
 *
 * @param ordinal its number, from 0
 * @param name what its maker calls it
 * @param totalBytes how much memory it has
 */
public record CudaDeviceInfo(int ordinal, String name, long totalBytes) {}
