package dev.stowage.memory.synced;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Where a buffer, or a part of it, is on a device, for as long as that is so.
 *
 * <p>What was handed out for reading ends when the buffer is written elsewhere, what was handed out
 * for writing also when it is asked for elsewhere, and both when the buffer is closed or adopts
 * other memory. Every use is checked, but for work that is queued: ask for the data, and queue at
 * once.
 *
 * <p>Safe for use by many threads.
 */
public final class DeviceData {

  private final SyncedMemory buffer;
  private final Device device;
  private final long address;
  private final long bytes;
  private final boolean writable;
  private final Lease lease;

  DeviceData(
      SyncedMemory buffer, Device device, long address, long bytes, boolean writable, Lease lease) {
    this.buffer = buffer;
    this.device = device;
    this.address = address;
    this.bytes = bytes;
    this.writable = writable;
    this.lease = lease;
  }

  /** {@return the device that it is on} */
  public Device device() {
    return device;
  }

  /** {@return how many bytes it has} */
  public long byteSize() {
    return bytes;
  }

  /** {@return whether it was asked for by {@code gpuData}, and may not be written} */
  public boolean isReadOnly() {
    return !writable;
  }

  /** {@return whether it can be used still} */
  public boolean isLive() {
    return lease.isLive();
  }

  /**
   * {@return its device address}
   *
   * @throws IllegalStateException if it has ended
   */
  public long address() {
    checkLive();
    return address;
  }

  /**
   * {@return its device address, for work of a device}
   *
   * @param user the device that is to work on it
   * @throws IllegalArgumentException if it is on another device
   * @throws IllegalStateException if it has ended
   */
  public long addressOn(Device user) {
    if (!user.equals(device)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' is on device '%s' and cannot be used on device '%s'; ask gpuData for that device",
              buffer.name(),
              device.name(),
              user.name()));
    }
    return address();
  }

  /**
   * Copies it to host memory.
   *
   * @param target where to
   * @throws IllegalArgumentException if {@code target.byteSize() != byteSize()}, or the target is
   *     read-only
   * @throws IllegalStateException if it has ended
   * @throws DeviceException if the driver's call fails
   */
  public void copyTo(MemorySegment target) {
    checkSize(target);
    synchronized (buffer) {
      device.copyToHost(address(), target);
    }
  }

  /**
   * Overwrites it by host memory.
   *
   * @param source what to copy
   * @throws IllegalArgumentException if {@code source.byteSize() != byteSize()}
   * @throws IllegalStateException if it has ended, or is read-only
   * @throws DeviceException if the driver's call fails
   */
  public void copyFrom(MemorySegment source) {
    checkSize(source);
    checkWritable();
    synchronized (buffer) {
      device.copyFromHost(source, address());
    }
  }

  /**
   * Sets its bytes.
   *
   * @param value to what
   * @throws IllegalStateException if it has ended, or is read-only
   * @throws DeviceException if the driver's call fails
   */
  public void fill(byte value) {
    checkWritable();
    synchronized (buffer) {
      device.fill(address(), bytes, value);
    }
  }

  private void checkSize(MemorySegment segment) {
    if (segment.byteSize() != bytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' on device '%s' has another size than what it is copied with: byteSize=%d, segment=%d",
              buffer.name(),
              device.name(),
              bytes,
              segment.byteSize()));
    }
  }

  private void checkWritable() {
    if (!writable) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' on device '%s' is read-only; ask mutableGpuData to write",
              buffer.name(),
              device.name()));
    }
  }

  private void checkLive() {
    String ended = lease.ended();
    if (!ended.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' on device '%s' has ended: %s; ask again each time instead of keeping it",
              buffer.name(),
              device.name(),
              ended));
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d bytes of buffer '%s' on device '%s'%s%s",
        bytes,
        buffer.name(),
        device.name(),
        writable ? "" : ", read-only",
        lease.isLive() ? "" : ", ended");
  }
}
