package dev.stowage.memory.synced;

import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One buffer with a copy on the host and a copy on each of its devices. A copy is allocated when it
 * is first used, and updated only if another one was written.
 *
 * <pre>{@code
 * DevicePool gpu = DevicePool.open("gpu", device, BfcOptions.growing());
 * try (SyncedMemory weights = SyncedMemory.of("weights", 4000, gpu)) {
 *   weights.mutableCpuData().fill((byte) 1);              // allocates on the host
 *   multiply(weights.gpuData().addressOn(device));        // allocates on the device, and copies to it
 *   update(weights.mutableGpuData().addressOn(device));   // copies nothing
 *   weights.cpuData().get(ValueLayout.JAVA_BYTE, 0);      // copies back
 *   weights.cpuData().get(ValueLayout.JAVA_BYTE, 1);      // copies nothing
 * }
 * }</pre>
 *
 * <p>Callers request the data each time they use it, and request mutable data only to write.
 * Segments and {@link DeviceData} end when they would be stale:
 *
 * <ul>
 *   <li>data for reading ends when mutable data is requested elsewhere;
 *   <li>data for writing ends when any data is requested elsewhere, since that copy would miss
 *       later writes;
 *   <li>all data ends when the buffer is closed, or wraps other memory on that side.
 * </ul>
 *
 * <p>An access to a {@code MemorySegment} that has ended throws the JDK's {@code
 * IllegalStateException: Already closed}; {@link #checkLive} names the buffer and the remedy. The
 * exception is memory that {@link #setCpuData} wrapped: its segments live as long as the caller's
 * arena.
 *
 * <p>If a call fails, current sides stay current, and the buffer returns the memory of the failed
 * call. Data that callers hold may have ended. If only the return of old memory fails, the call
 * completes and then throws: the buffer is closed, or has wrapped the memory.
 *
 * <p>Buffers are safe for use by many threads. Each method is atomic, and a thread that calls while
 * another one copies waits. The caller synchronizes accesses to the data itself, and waits for work
 * that it has queued on streams before it requests the data elsewhere or closes the buffer.
 *
 * <p>If the garbage collector finds a buffer that is not closed, the logger {@code
 * dev.stowage.memory} reports it, with the stack of its creation if one of its allocators keeps
 * stacks.
 *
 * <p>A buffer without bytes takes no memory of a pool. On a device it takes the smallest chunk,
 * since kernels need an address.
 *
 * <p>A call that copies nothing takes less than a microsecond, and some tens of microseconds more
 * if host segments end, because the JVM then checks whether any thread uses one.
 *
 * <p>States and copies are the same as in Caffe's {@code SyncedMemory}. Written ranges, several
 * devices and the checks are additions.
 */
public final class SyncedMemory implements AutoCloseable {

  /* This class has the lock and the checks of arguments; `Sides` has the copies. */

  private final String name;
  private final long byteSize;
  private final Sides sides;
  private final BufferWatch watch;

  private SyncedMemory(String name, long byteSize, HostSource source, List<DevicePool> devices) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a buffer must have a name: name=''");
    }
    if (byteSize < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "buffer '%s' has a negative size: bytes=%d", name, byteSize));
    }
    this.name = name;
    this.byteSize = byteSize;
    sides = new Sides(name, byteSize, source, devices);
    watch = new BufferWatch(this, name, byteSize, source, devices);
  }

  /**
   * {@return a buffer of zeros, with no memory allocated}
   *
   * <p>Its host memory is staging memory of the first device.
   *
   * @param name the name in messages and in the reports of the allocators
   * @param bytes the size
   * @param device the pool of the device of {@link #gpuData()}
   * @param others pools of other devices
   * @throws IllegalArgumentException if {@code name} is empty, {@code bytes < 0}, or a device
   *     occurs twice
   */
  public static SyncedMemory of(String name, long bytes, DevicePool device, DevicePool... others) {
    return new SyncedMemory(
        name,
        bytes,
        new HostSource.Staging(device.device()),
        Stream.concat(Stream.of(device), Stream.of(others)).toList());
  }

  /**
   * {@return a buffer of zeros, with no memory allocated, and host memory of a pool}
   *
   * @param name the name in messages and in the reports of the allocators
   * @param bytes the size
   * @param pool the pool of the host memory, to be closed after the buffer
   * @param devices pools of the devices; {@link #gpuData()} uses the first one
   * @throws IllegalArgumentException if {@code name} is empty, {@code bytes < 0}, or a device
   *     occurs twice
   */
  public static SyncedMemory of(String name, long bytes, MemoryPool pool, DevicePool... devices) {
    return new SyncedMemory(name, bytes, new HostSource.Pool(pool), List.of(devices));
  }

  /** {@return the name in messages} */
  public String name() {
    return name;
  }

  /** {@return the size in bytes} */
  public long byteSize() {
    return byteSize;
  }

  /** {@return the devices; the first one is the device of {@link #gpuData()}} */
  public List<Device> devices() {
    return sides.devices();
  }

  /**
   * {@return the sides with the latest contents}
   *
   * @throws IllegalStateException if the buffer is closed
   */
  public synchronized SyncedHead head() {
    watch.checkOpen();
    return sides.head();
  }

  /**
   * {@return true if a device has the latest contents}
   *
   * @param device a device of the buffer
   * @throws IllegalArgumentException if the buffer does not have the device
   * @throws IllegalStateException if the buffer is closed
   */
  public synchronized boolean isCurrentOn(Device device) {
    watch.checkOpen();
    return sides.side(device).isCurrent();
  }

  /** {@return the number and bytes of the copies} */
  public synchronized CopyCounts copies() {
    return sides.copies();
  }

  // Host data.

  /**
   * {@return the contents on the host, for reading}
   *
   * @throws IllegalStateException if the buffer is closed, its host memory has ended, or a native
   *     call works on a segment that has to end
   * @throws BfcOutOfMemoryException if the pool or the device has no room
   * @throws DeviceException if a call of the driver fails, or there is no staging memory
   */
  public synchronized MemorySegment cpuData() {
    watch.checkOpen();
    sides.updateForRead(sides.host());
    return sides.host().view(0, byteSize, false);
  }

  /**
   * {@return the contents on the host, for reading and writing}
   *
   * @throws IllegalStateException as {@link #cpuData()}
   * @throws BfcOutOfMemoryException as {@link #cpuData()}
   * @throws DeviceException as {@link #cpuData()}
   */
  public MemorySegment mutableCpuData() {
    return mutableCpuData(0, byteSize);
  }

  /**
   * {@return a range of the contents on the host, for reading and writing}
   *
   * <p>A device that had the rest of the contents later copies only this range.
   *
   * @param offset the first byte of the range
   * @param bytes the size of the range
   * @throws IndexOutOfBoundsException if the range does not lie within the buffer
   * @throws IllegalStateException as {@link #cpuData()}
   * @throws BfcOutOfMemoryException as {@link #cpuData()}
   * @throws DeviceException as {@link #cpuData()}
   */
  public synchronized MemorySegment mutableCpuData(long offset, long bytes) {
    watch.checkOpen();
    checkRange(offset, bytes);
    sides.updateForWrite(sides.host(), offset, bytes);
    return sides.host().view(offset, bytes, true);
  }

  /**
   * Uses the caller's memory as the copy on the host, and its bytes as the contents of the buffer.
   *
   * <p>The buffer frees its own host memory. The caller keeps {@code data} alive until the buffer
   * is closed or wraps other memory, and frees it. Segments of {@code data} do not end when they
   * become stale. If {@code data} belongs to a confined arena, calls of other threads that need it
   * throw a {@link WrongThreadException}.
   *
   * @param data the caller's memory
   * @throws IllegalArgumentException if {@code data.byteSize() != byteSize()}, or {@code data} is
   *     read-only, not native, of another thread's confined arena, or the buffer's own
   * @throws IllegalStateException if the buffer is closed, {@code data} has ended, or a native call
   *     works on a segment that has to end
   * @throws DeviceException if an earlier push failed; or the buffer's own memory cannot be
   *     returned, and {@code data} is wrapped
   */
  public synchronized void setCpuData(MemorySegment data) {
    watch.checkOpen();
    sides.host().checkWrappable(data);
    sides.wrap(sides.host(), () -> sides.host().wrap(data));
  }

  /**
   * Checks that a segment of this buffer has not ended.
   *
   * @param data a result of {@link #cpuData()} or {@link #mutableCpuData()}
   * @throws IllegalStateException if it has ended; the message has the remedy
   */
  public void checkLive(MemorySegment data) {
    if (!data.scope().isAlive()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "a host segment of buffer '%s' has ended: the buffer was written elsewhere, was copied elsewhere while the segment was writable, or is closed; call cpuData() or mutableCpuData() for each use",
              name));
    }
  }

  // Device data.

  /**
   * {@return the contents on the first device, for reading}
   *
   * @throws IllegalStateException if the buffer is closed or has no device, the host memory to copy
   *     from has ended, or a native call works on a segment that has to end
   * @throws BfcOutOfMemoryException if the pool or the device has no room
   * @throws DeviceException if a call of the driver fails, there is no staging memory, or an
   *     earlier push failed
   */
  public DeviceData gpuData() {
    return gpuData(sides.firstDevice());
  }

  /**
   * {@return the contents on a device, for reading}
   *
   * <p>A copy from another device is direct if {@link Device#canCopyFrom} is true. Otherwise, it
   * goes through the host, which then has the contents, too.
   *
   * @param device a device of the buffer
   * @throws IllegalArgumentException if the buffer does not have the device
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public synchronized DeviceData gpuData(Device device) {
    watch.checkOpen();
    DeviceSide side = sides.side(device);
    sides.updateForRead(side);
    return side.view(this, 0, byteSize, false);
  }

  /**
   * {@return the contents on the first device, for reading and writing}
   *
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public DeviceData mutableGpuData() {
    return mutableGpuData(sides.firstDevice());
  }

  /**
   * {@return the contents on a device, for reading and writing}
   *
   * @param device a device of the buffer
   * @throws IllegalArgumentException if the buffer does not have the device
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public DeviceData mutableGpuData(Device device) {
    return mutableGpuData(device, 0, byteSize);
  }

  /**
   * {@return a range of the contents on the first device, for reading and writing}
   *
   * <p>Other sides that had the rest of the contents later copy only this range.
   *
   * @param offset the first byte of the range
   * @param bytes the size of the range
   * @throws IndexOutOfBoundsException if the range does not lie within the buffer
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public DeviceData mutableGpuData(long offset, long bytes) {
    return mutableGpuData(sides.firstDevice(), offset, bytes);
  }

  /**
   * {@return a range of the contents on a device, as {@link #mutableGpuData(long, long)}}
   *
   * @param device a device of the buffer
   * @param offset the first byte of the range
   * @param bytes the size of the range
   * @throws IllegalArgumentException if the buffer does not have the device
   * @throws IndexOutOfBoundsException if the range does not lie within the buffer
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public synchronized DeviceData mutableGpuData(Device device, long offset, long bytes) {
    watch.checkOpen();
    DeviceSide side = sides.side(device);
    checkRange(offset, bytes);
    sides.updateForWrite(side, offset, bytes);
    return side.view(this, offset, bytes, true);
  }

  /**
   * Uses the caller's memory as the copy on the first device, as {@link #setGpuData(Device, long)}.
   *
   * @param address the address of {@link #byteSize()} bytes
   * @throws IllegalArgumentException as {@link #setGpuData(Device, long)}
   * @throws IllegalStateException as {@link #setGpuData(Device, long)}, or if there is no device
   * @throws DeviceException as {@link #setGpuData(Device, long)}
   */
  public void setGpuData(long address) {
    setGpuData(sides.firstDevice(), address);
  }

  /**
   * Uses the caller's memory as the copy on a device, and its bytes as the contents of the buffer.
   *
   * <p>The buffer frees its own memory there. The caller keeps the memory alive until the buffer is
   * closed or wraps other memory, and frees it.
   *
   * @param device a device of the buffer
   * @param address the address of {@link #byteSize()} bytes
   * @throws IllegalArgumentException if the buffer does not have the device, {@code
   *     !device.hasRange(address, byteSize())}, or the address is in the buffer's own memory
   * @throws IllegalStateException if the buffer is closed, or a native call works on a segment that
   *     has to end
   * @throws DeviceException if an earlier push failed; or the buffer's own memory cannot be
   *     returned, and the caller's memory is wrapped
   */
  public synchronized void setGpuData(Device device, long address) {
    watch.checkOpen();
    DeviceSide side = sides.side(device);
    side.checkWrappable(address);
    sides.wrap(side, () -> side.wrap(address));
  }

  /**
   * Queues a copy to the device of a stream: from the host, or {@linkplain Device#canCopyFrom
   * directly} from another device with the latest contents. Source and target are current
   * afterwards.
   *
   * <p>The buffer waits for the copy before it returns the device's data, and before it writes or
   * frees the memory of the copy; {@link #cpuData()} does not wait. If the copy fails, the next
   * call that waits for it throws, and the contents are only on the other side.
   *
   * @param stream a stream of the device, which the caller closes after the copy
   * @throws IllegalArgumentException if the buffer does not have the device of the stream
   * @throws IllegalStateException if the device has the latest contents, or neither the host nor
   *     such a device has them: with one device, {@code head() != HEAD_AT_CPU}; or as {@link
   *     #gpuData()}
   * @throws BfcOutOfMemoryException if the device has no room
   * @throws DeviceException if a call of the driver fails, or an earlier push failed
   */
  public synchronized void asyncGpuPush(DeviceStream stream) {
    watch.checkOpen();
    sides.push(stream);
  }

  private void checkRange(long offset, long bytes) {
    if (offset < 0 || bytes < 0 || bytes > byteSize - offset) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "the range does not lie within buffer '%s': offset=%d, bytes=%d, byteSize=%d",
              name,
              offset,
              bytes,
              byteSize));
    }
  }

  /**
   * Ends all data and frees all memory except wrapped memory; has no effect if the buffer is
   * closed.
   *
   * @throws IllegalStateException if a native call works on a segment; nothing changes
   * @throws DeviceException if a push failed, or memory cannot be returned; the buffer is closed
   */
  @Override
  public synchronized void close() {
    if (watch.isOpen()) {
      sides.host().endAll(Lease.End.CLOSED); // which a native call can prevent
      watch.close();
      sides.close();
    }
  }

  /** Checks the invariants of the sides, for tests. */
  synchronized void checkInvariants() {
    sides.checkInvariants();
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "buffer '%s' of %d bytes, %s",
        name,
        byteSize,
        watch.isOpen() ? sides.head().toString() : "closed");
  }
}
