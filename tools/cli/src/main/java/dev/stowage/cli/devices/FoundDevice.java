package dev.stowage.cli.devices;

/**
 * A usable device.
 *
 * @param kind host, OpenCL or CUDA
 * @param name the name from the driver
 * @param totalBytes the size of its memory
 * @param availableBytes the size of its free memory
 * @param alignmentBytes the alignment of its regions
 */
public record FoundDevice(
    String kind, String name, long totalBytes, long availableBytes, long alignmentBytes) {}
