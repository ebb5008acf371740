package dev.stowage.memory.device;

import java.lang.foreign.MemorySegment;

/** What all devices check alike, with the same words. */
public final class DeviceChecks {

  private DeviceChecks() {}

  /**
   * Checks the host's side of a queued copy.
   *
   * @param segment what is copied from or to
   * @throws IllegalArgumentException if it is no native memory
   */
  public static void checkNative(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "a queued copy needs native memory, which the garbage collector does not move: segment="
              + segment);
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
    if (Math.abs(source - target) < bytes) {
      throw new IllegalArgumentException(
          "the ranges of a copy overlap: source=0x%x, target=0x%x, bytes=%d"
              .formatted(source, target, bytes));
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
        "no region of device '%s' has %d bytes at 0x%x".formatted(device.name(), bytes, address));
  }

  /**
   * {@return what to throw where an event is of another device}
   *
   * @param device whose stream was asked
   */
  public static IllegalArgumentException foreignEvent(Device device) {
    return new IllegalArgumentException(
        "a stream of device '%s' cannot wait for an event of another device"
            .formatted(device.name()));
  }

  /**
   * {@return what to throw where a stream has ended}
   *
   * @param device whose stream it was
   */
  public static IllegalStateException closedStream(Device device) {
    return new IllegalStateException("a stream of device '%s' is closed".formatted(device.name()));
  }
}
