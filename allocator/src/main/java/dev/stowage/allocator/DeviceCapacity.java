package dev.stowage.allocator;

import java.util.Locale;

/**
 * The bytes of a device's memory, for {@link BfcOptions#forDevice}.
 *
 * <p>Each {@code Device} of {@code dev.stowage.memory} is one. {@link #of} and {@link #ofGpu}
 * describe devices that the program cannot open, such as the devices of another machine.
 */
public interface DeviceCapacity {

  /** {@return the bytes of the memory} */
  long totalBytes();

  /** {@return the bytes that are available now} */
  long availableBytes();

  /**
   * {@return the available bytes that an allocator for the whole device leaves to the system, the
   * driver and libraries}
   *
   * <p>By default, this is the reserve of TensorFlow's pluggable devices: 255 MiB if less than 2
   * GiB are available, otherwise 6 %, and at least 300 MiB.
   */
  default long systemReserveBytes() {
    return SystemReserve.ofDevice(availableBytes());
  }

  /**
   * {@return true if allocators may hold more than the memory of the device, which then moves parts
   * to the host}
   */
  default boolean isUnified() {
    return false;
  }

  /**
   * {@return the capacity of a device}
   *
   * @param totalBytes the memory of the device
   * @param availableBytes the part of it that is not in use
   * @throws IllegalArgumentException if {@code availableBytes < 0} or {@code availableBytes >
   *     totalBytes}
   */
  static DeviceCapacity of(long totalBytes, long availableBytes) {
    return fixed(totalBytes, availableBytes, SystemReserve.ofDevice(availableBytes), false);
  }

  /**
   * {@return the capacity of a GPU of NVIDIA}
   *
   * <p>The reserve is as in optimized builds of TensorFlow: 225 MiB if less than 2 GiB are
   * available, otherwise 500 MiB up to compute capability 6.x, 1,050 MiB for 7.x, 1,536 MiB for 8.x
   * and 1,800 MiB from 9.0. The memory is unified from compute capability 6.0.
   *
   * @param totalBytes the memory of the GPU
   * @param availableBytes the part of it that is not in use
   * @param computeCapability the first number of the compute capability, such as 9 for 9.0
   * @throws IllegalArgumentException if {@code availableBytes < 0}, {@code availableBytes >
   *     totalBytes} or {@code computeCapability < 1}
   */
  static DeviceCapacity ofGpu(long totalBytes, long availableBytes, int computeCapability) {
    if (computeCapability < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "computeCapability must be positive: computeCapability=%d",
              computeCapability));
    }
    return fixed(
        totalBytes,
        availableBytes,
        SystemReserve.ofGpu(availableBytes, computeCapability),
        computeCapability >= 6);
  }

  private static DeviceCapacity fixed(
      long totalBytes, long availableBytes, long systemReserveBytes, boolean isUnified) {
    record Fixed(long totalBytes, long availableBytes, long systemReserveBytes, boolean isUnified)
        implements DeviceCapacity {}

    if (availableBytes < 0 || availableBytes > totalBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "availableBytes must be from 0 to totalBytes: availableBytes=%d, totalBytes=%d",
              availableBytes,
              totalBytes));
    }
    return new Fixed(totalBytes, availableBytes, systemReserveBytes, isUnified);
  }
}
