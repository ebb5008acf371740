package dev.stowage.allocator;

/** TensorFlow's rules for the memory of a device that an allocator leaves to the system. */
final class SystemReserve {

  /*
   * After MinSystemMemory in tensorflow/core/common_runtime/gpu/gpu_device.cc and in
   * tensorflow/core/common_runtime/pluggable_device/pluggable_device_factory.cc (2023), for optimized
   * builds. The second file has 225 MiB in a comment and 255 MiB in the code.
   */

  private static final long MIB = 1 << 20;
  private static final long SMALL_DEVICE_BYTES = 2048 * MIB;

  private SystemReserve() {}

  /** {@return the reserve of a device that is not a GPU of NVIDIA} */
  static long ofDevice(long availableBytes) {
    return availableBytes < SMALL_DEVICE_BYTES
        ? 255 * MIB
        : Math.max(300 * MIB, (long) (availableBytes * 0.06f)); // TensorFlow multiplies a float
  }

  /**
   * {@return the reserve of a GPU of NVIDIA}
   *
   * @param computeCapability the first number of the compute capability
   */
  static long ofGpu(long availableBytes, int computeCapability) {
    if (availableBytes < SMALL_DEVICE_BYTES) {
      return 225 * MIB;
    }
    return switch (computeCapability) {
      case 1, 2, 3, 4, 5, 6 -> 500 * MIB;
      case 7 -> 1050 * MIB;
      case 8 -> 1536 * MIB;
      default -> 1800 * MIB;
    };
  }
}
