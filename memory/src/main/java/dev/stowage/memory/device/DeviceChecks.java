package dev.stowage.memory.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** What all devices check alike, with the same words: for those who write one. */
public final class DeviceChecks {

  private DeviceChecks() {}

  /**
   * Checks the size of a region to be.
   *
   * @param bytes how many
   * @throws IllegalArgumentException if {@code bytes < 1}
   */
  public static void checkRegionBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a region has no bytes: bytes=" + bytes);
    }
  }

  /**
   * Checks that a device can end.
   *
   * @param device which one
   * @param regionCount how many of its regions are held
   * @param heldBytes how many bytes they have
   * @param streamCount how many of its streams are open
   * @throws IllegalStateException if regions are held or streams are open
   */
  public static void checkUnused(Device device, int regionCount, long heldBytes, int streamCount) {
    if (regionCount > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "device '%s' is in use: %d regions with %d bytes are held; close the pools and allocators that hold them first",
              device.name(),
              regionCount,
              heldBytes));
    }
    if (streamCount > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "device '%s' is in use: %d streams are open; close them first",
              device.name(),
              streamCount));
    }
  }

  /**
   * {@return what to throw where a device has ended}
   *
   * @param device which one
   */
  public static IllegalStateException closedDevice(Device device) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "device '%s' is closed", device.name()));
  }

  /**
   * {@return what to throw where an event is forgotten}
   *
   * @param device whose event it was
   */
  public static IllegalStateException closedEvent(Device device) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "an event of device '%s' is closed", device.name()));
  }

  /**
   * Checks the host's side of a queued copy.
   *
   * @param segment what is copied from or to
   * @throws IllegalArgumentException if it is no native memory
   * @throws IllegalStateException if it has ended
   */
  public static void checkNative(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "a queued copy needs native memory, which the garbage collector does not move: segment="
              + segment);
    }
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("Already closed"); // as the JDK says
    }
  }

  /**
   * {@return what to throw where staging memory is refused}
   *
   * @param device whose
   * @param bytes how many were asked for
   * @param mostBytes how many the device gives at once; the machine may have fewer
   * @param refusal the driver's call that failed
   */
  public static DeviceException noStaging(
      Device device, long bytes, long mostBytes, DeviceException refusal) {
    return new DeviceException(
        String.format(
            Locale.ROOT,
            "device '%s' refused %d bytes of staging memory: there are at most %d now; stage less at a time",
            device.name(),
            bytes,
            Math.min(mostBytes, MachineMemory.availableBytes())),
        refusal);
  }

  /**
   * {@return staging memory of a device for which any host memory will do}
   *
   * @param device whose
   * @param bytes how many
   * @param alignment a power of two
   * @param arena how long it lives
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws DeviceException if the machine has no memory for it
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
   * Checks a copy's target.
   *
   * @param segment what is copied to
   * @throws IllegalArgumentException if it is read-only
   */
  public static void checkWritable(MemorySegment segment) {
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException("the target of a copy is read-only: segment=" + segment);
    }
  }

  /**
   * Checks a copy within a device.
   *
   * @param source where from
   * @param target where to
   * @param bytes how many
   * @throws IllegalArgumentException if the ranges overlap
   */
  public static void checkDisjoint(long source, long target, long bytes) {
    // The distance is one of unsigned numbers, for addresses that are far apart.
    long distance = source < target ? target - source : source - target;
    if (bytes > 0 && Long.compareUnsigned(distance, bytes) < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the ranges of a copy overlap: source=0x%x, target=0x%x, bytes=%d",
              source,
              target,
              bytes));
    }
  }

  /**
   * {@return what to throw for a range that lies in no region}
   *
   * @param device whose
   * @param address where it starts
   * @param bytes its size
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
   * {@return what to throw where an event is of another device}
   *
   * @param device whose stream was asked
   */
  public static IllegalArgumentException foreignEvent(Device device) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a stream of device '%s' cannot wait for an event of another device",
            device.name()));
  }

  /**
   * {@return what to throw where a stream has ended}
   *
   * @param device whose stream it was
   */
  public static IllegalStateException closedStream(Device device) {
    return new IllegalStateException(
        String.format(Locale.ROOT, "a stream of device '%s' is closed", device.name()));
  }
}
