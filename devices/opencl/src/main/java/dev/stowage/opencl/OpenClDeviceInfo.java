package dev.stowage.opencl;

import java.util.Locale;

/** A device of OpenCL, as its platform describes it. */
public final class OpenClDeviceInfo {

  private final int platformIndex;
  private final int deviceIndex;
  private final String platformName;
  private final String name;
  private final String version;
  private final long totalBytes;
  private final long maxAllocationBytes;
  private final long alignmentBytes;

  OpenClDeviceInfo(
      int platformIndex,
      int deviceIndex,
      String platformName,
      String name,
      String version,
      long totalBytes,
      long maxAllocationBytes,
      long alignmentBytes) {
    this.platformIndex = platformIndex;
    this.deviceIndex = deviceIndex;
    this.platformName = platformName;
    this.name = name;
    this.version = version;
    this.totalBytes = totalBytes;
    this.maxAllocationBytes = maxAllocationBytes;
    this.alignmentBytes = alignmentBytes;
  }

  /** {@return the index of the platform on this machine, from 0} */
  public int platformIndex() {
    return platformIndex;
  }

  /** {@return the index of the device on its platform, from 0} */
  public int deviceIndex() {
    return deviceIndex;
  }

  /** {@return the name of the platform} */
  public String platformName() {
    return platformName;
  }

  /** {@return the name of the device} */
  public String name() {
    return name;
  }

  /** {@return the versions of OpenCL and of the driver} */
  public String version() {
    return version;
  }

  /** {@return the bytes of its memory} */
  public long totalBytes() {
    return totalBytes;
  }

  /** {@return the bytes of the largest region} */
  public long maxAllocationBytes() {
    return maxAllocationBytes;
  }

  /** {@return the alignment of addresses that kernels require} */
  public long alignmentBytes() {
    return alignmentBytes;
  }

  boolean isSameDevice(OpenClDeviceInfo other) {
    return platformIndex == other.platformIndex
        && deviceIndex == other.deviceIndex
        && platformName.equals(other.platformName)
        && name.equals(other.name);
  }

  /** {@return such as {@code device 0 'cpu' of platform 0 'Portable Computing Language'}} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "device %d '%s' of platform %d '%s'",
        deviceIndex,
        name,
        platformIndex,
        platformName);
  }
}
