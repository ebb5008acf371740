package dev.stowage.memory.device;

import dev.stowage.allocator.DeviceCapacity;
import dev.stowage.allocator.internal.ByteCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** The checks that all devices share, and the exceptions with their messages. */
public final class DeviceChecks {

  private DeviceChecks() {}

  /**
   * Checks the size of a new region.
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 1}
   */
  public static void checkRegionBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes of a region must be positive: bytes=" + bytes);
    }
  }

  /**
   * Checks the sizes of a new region with reserved addresses.
   *
   * @param bytes the size
   * @param maxBytes the size that the region can grow to
   * @throws IllegalArgumentException if {@code bytes < 1} or {@code maxBytes < bytes}
   */
  public static void checkReservation(long bytes, long maxBytes) {
    checkRegionBytes(bytes);
    if (maxBytes < bytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "maxBytes of a region must be at least its bytes: bytes=%d, maxBytes=%d",
              bytes,
              maxBytes));
    }
  }

  /**
   * Checks that a device can be closed.
   *
   * @param device the device
   * @param regionCount the number of its regions
   * @param heldBytes the bytes of its regions
   * @param streamCount the number of its open streams
   * @throws IllegalStateException if there are regions or open streams
   */
  public static void checkUnused(Device device, int regionCount, long heldBytes, int streamCount) {
    if (regionCount > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "device '%s' is in use: pools, allocators or growing memory hold %d %s with %d bytes; close them first",
              device.name(),
              regionCount,
              regionCount == 1 ? "region" : "regions",
              heldBytes));
    }
    if (streamCount > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "device '%s' is in use: %s open; close them first",
              device.name(),
              streamCount == 1 ? "1 stream is" : streamCount + " streams are"));
    }
  }

  /**
   * {@return the reserve of TensorFlow for the system on a GPU of NVIDIA}
   *
   * @param device the GPU
   * @param computeCapability the first number of the compute capability, such as 9 for 9.0
   * @throws IllegalArgumentException if {@code computeCapability < 1}
   */
  public static long gpuReserveBytes(Device device, int computeCapability) {
    return DeviceCapacity.ofGpu(device.totalBytes(), device.availableBytes(), computeCapability)
        .systemReserveBytes();
  }

  /**
   * {@return the exception for the use of a closed device}
   *
   * @param device the device
   */
  public static IllegalStateException closedDevice(Device device) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "device '%s' is closed", device.name()));
  }

  /**
   * {@return the exception for the use of a closed event}
   *
   * @param device the device of the event
   */
  public static IllegalStateException closedEvent(Device device) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "an event of device '%s' is closed", device.name()));
  }

  /**
   * Checks the host memory of a queued copy.
   *
   * @param segment the source or the target on the host
   * @throws IllegalArgumentException if {@code segment} is not native memory
   * @throws IllegalStateException if {@code segment} has ended
   */
  public static void checkNative(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "a queued copy needs native memory, because the garbage collector can move other memory: segment="
              + segment);
    }
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("Already closed"); // in the words of the JDK
    }
  }

  /**
   * {@return the exception for too little staging memory}
   *
   * @param device the device
   * @param bytes the requested bytes
   * @param maxBytes the bytes that the device can allocate at once; the machine may have fewer
   * @param refusal the call of the driver that failed
   */
  public static NoStagingException noStaging(
      Device device, long bytes, long maxBytes, DeviceException refusal) {
    return new NoStagingException(
        String.format(
            Locale.ROOT,
            "device '%s' refused %s of staging memory: there are at most %s now; stage less at a time",
            device.name(),
            ByteCount.exact(bytes),
            ByteCount.exact(Math.min(maxBytes, MachineMemory.availableBytes()))),
        refusal);
  }

  /**
   * {@return staging memory from an arena, for devices without pinned memory}
   *
   * @param device the device
   * @param bytes the size
   * @param alignment the alignment, a power of two
   * @param arena the lifetime
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws NoStagingException if the machine has too little memory
   */
  public static MemorySegment allocateStaging(
      Device device, long bytes, long alignment, Arena arena) {
    try {
      return arena.allocate(bytes, alignment);
    } catch (OutOfMemoryError refused) {
      DeviceException refusal =
          new DeviceException(
              String.format(Locale.ROOT, "an arena's allocation of %d bytes", bytes),
              Libc.ENOMEM,
              Libc.errnoName(Libc.ENOMEM));
      refusal.initCause(refused);
      throw noStaging(device, bytes, Long.MAX_VALUE, refusal);
    }
  }

  /**
   * Checks the target of a copy to the host.
   *
   * @param segment the target
   * @throws IllegalArgumentException if {@code segment} is read-only
   */
  public static void checkWritable(MemorySegment segment) {
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException(
          "the target of a copy must be writable: segment=" + segment);
    }
  }

  /**
   * Checks a copy within a device.
   *
   * @param source the start of the source
   * @param target the start of the target
   * @param bytes the size
   * @throws IllegalArgumentException if the ranges overlap
   */
  public static void checkDisjoint(long source, long target, long bytes) {
    // The distance of addresses can exceed 2^63.
    long distance = source < target ? target - source : source - target;
    if (bytes > 0 && Long.compareUnsigned(distance, bytes) < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the ranges of a copy must not overlap: source=0x%x, target=0x%x, bytes=%d",
              source,
              target,
              bytes));
    }
  }

  /**
   * {@return the exception for a range that does not lie within one region}
   *
   * @param device the device
   * @param address the start of the range
   * @param bytes the size of the range
   */
  public static IllegalArgumentException noSuchRange(Device device, long address, long bytes) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "no region of device '%s' has %d bytes at 0x%x",
            device.name(),
            bytes,
            address));
  }

  /**
   * {@return the exception for an event of another device}
   *
   * @param device the device of the stream
   */
  public static IllegalArgumentException foreignEvent(Device device) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a stream of device '%s' cannot wait for an event of another device",
            device.name()));
  }

  /**
   * {@return the exception for the use of a closed stream}
   *
   * @param device the device of the stream
   */
  public static IllegalStateException closedStream(Device device) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "a stream of device '%s' is closed", device.name()));
  }
}
