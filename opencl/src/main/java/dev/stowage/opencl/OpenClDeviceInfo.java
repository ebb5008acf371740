package dev.stowage.opencl;

/**
 * A device of OpenCL, as its platform describes it.
 *
 * @param platformIndex which platform of this machine, from 0 on
 * @param deviceIndex which device of the platform, from 0 on
 * @param platformName the platform's name
 * @param name the device's name
 * @param version the version of OpenCL that it has, and of its driver
 * @param totalBytes its memory
 * @param maxAllocationBytes how large a region can be
 * @param alignmentBytes what addresses in it are multiples of where a kernel is to get them
 */
public record OpenClDeviceInfo(
    int platformIndex,
    int deviceIndex,
    String platformName,
    String name,
    String version,
    long totalBytes,
    long maxAllocationBytes,
    long alignmentBytes) {}
