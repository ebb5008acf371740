package dev.stowage.memory.synced;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * A buffer, or a range of it, on a device, until it would be stale.
 *
 * <p>Data for reading ends when the buffer is written elsewhere. Data for writing also ends when
 * the buffer is read elsewhere. All data ends when the buffer is closed or wraps other memory. Each
 * use is checked, except queued work: the caller requests the data and queues its work at once.
 *
 * <p>Device data is safe for use by many threads.
 */
public final class DeviceData {

  /** The buffer, the lock of copies. This reference keeps it reachable while the data is in use. */
  private final Object lock;

  private final String buffer;
  private final Device device;
  private final long address;
  private final long bytes;
  private final boolean writable;
  private final Lease lease;

  DeviceData(
      Object lock,
      String buffer,
      Device device,
      long address,
      long bytes,
      boolean writable,
      Lease lease) {
    this.lock = lock;
    this.buffer = buffer;
    this.device = device;
    this.address = address;
    this.bytes = bytes;
    this.writable = writable;
    this.lease = lease;
  }

  /** {@return the device} */
  public Device device() {
    return device;
  }

  /** {@return the size in bytes} */
  public long byteSize() {
    return bytes;
  }

  /** {@return true for a result of {@code gpuData}, which must not be written} */
  public boolean isReadOnly() {
    return !writable;
  }

  /** {@return true if it has not ended} */
  public boolean isLive() {
    return lease.isLive();
  }

  /**
   * {@return the device address}
   *
   * @throws IllegalStateException if it has ended
   */
  public long address() {
    checkLive();
    return address;
  }

  /**
   * {@return the device address, for work of a device}
   *
   * @param user the device that uses the address
   * @throws IllegalArgumentException if the data is on another device
   * @throws IllegalStateException if it has ended
   */
  public long addressOn(Device user) {
    if (!user.equals(device)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' is on device '%s' and cannot be used on device '%s'; call gpuData for that device",
              buffer,
              device.name(),
              user.name()));
    }
    return address();
  }

  /**
   * Copies the data to host memory.
   *
   * @param target the target
   * @throws IllegalArgumentException if {@code target.byteSize() != byteSize()}, or {@code target}
   *     is read-only
   * @throws IllegalStateException if it has ended
   * @throws DeviceException if a call of the driver fails
   */
  public void copyTo(MemorySegment target) {
    checkSize(target);
    synchronized (lock) {
      device.copyToHost(address(), target);
    }
  }

  /**
   * Overwrites the data with host memory.
   *
   * @param source the source
   * @throws IllegalArgumentException if {@code source.byteSize() != byteSize()}
   * @throws IllegalStateException if it has ended, or is read-only
   * @throws DeviceException if a call of the driver fails
   */
  public void copyFrom(MemorySegment source) {
    checkSize(source);
    checkWritable();
    synchronized (lock) {
      device.copyFromHost(source, address());
    }
  }

  /**
   * Sets all bytes.
   *
   * @param value the value of each byte
   * @throws IllegalStateException if it has ended, or is read-only
   * @throws DeviceException if a call of the driver fails
   */
  public void fill(byte value) {
    checkWritable();
    synchronized (lock) {
      device.fill(address(), bytes, value);
    }
  }

  private void checkSize(MemorySegment segment) {
    if (segment.byteSize() != bytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' on device '%s' has %d bytes, and the segment to copy must have the same size: byteSize=%d",
              buffer,
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
              "data of buffer '%s' on device '%s' is read-only; call mutableGpuData to write",
              buffer,
              device.name()));
    }
  }

  private void checkLive() {
    String ended = lease.ended();
    if (!ended.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "data of buffer '%s' on device '%s' has ended: %s; request the data for each use",
              buffer,
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
        buffer,
        device.name(),
        writable ? "" : ", read-only",
        lease.isLive() ? "" : ", ended");
  }
}
