package dev.stowage.cuda;

import java.util.Locale;

/** A device, as the driver describes it. */
public final class CudaDeviceInfo {

  private final int ordinal;
  private final String name;
  private final long totalBytes;

  CudaDeviceInfo(int ordinal, String name, long totalBytes) {
    this.ordinal = ordinal;
    this.name = name;
    this.totalBytes = totalBytes;
  }

  /** {@return the number of the device, from 0} */
  public int ordinal() {
    return ordinal;
  }

  /** {@return the maker's name for the device} */
  public String name() {
    return name;
  }

  /** {@return the bytes of its memory} */
  public long totalBytes() {
    return totalBytes;
  }

  /** {@return such as {@code cuda:0 NVIDIA H200 with 150754820096 bytes}} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "cuda:%d %s with %d bytes", ordinal, name, totalBytes);
  }
}
