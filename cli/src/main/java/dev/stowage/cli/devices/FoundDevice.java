package dev.stowage.cli.devices;

/**
 * A device that can be used.
 *
 * @param kind through what: host, OpenCL or CUDA
 * @param name the driver's
 * @param totalBytes how much memory it has
 * @param availableBytes how much of it could be had now
 * @param alignmentBytes what addresses of its regions are multiples of
 */
public record FoundDevice(
    String kind, String name, long totalBytes, long availableBytes, long alignmentBytes) {}
