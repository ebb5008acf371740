package dev.stowage.memory.synced;

import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.CallerStack;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One buffer with a copy on the host and a copy on each of its devices; each is allocated when it
 * is first used, and copied to only when another one was written.
 *
 * <pre>{@code
 * DeviceMemory gpu = new DeviceMemory(device, new BfcAllocator("gpu", device, BfcOptions.growing()));
 * try (SyncedMemory weights = SyncedMemory.of("weights", 4000, gpu)) {
 *   weights.mutableCpuData().fill((byte) 1);              // allocates on the host
 *   multiply(weights.gpuData().addressOn(device));        // allocates on the device, and copies to it
 *   update(weights.mutableGpuData().addressOn(device));   // copies nothing
 *   weights.cpuData().get(ValueLayout.JAVA_BYTE, 0);      // copies back
 *   weights.cpuData().get(ValueLayout.JAVA_BYTE, 1);      // copies nothing
 * }
 * }</pre>
 *
 * <p>Ask each time, and ask to write only where you write. A segment or {@link DeviceData} that is
 * kept cannot be used any more once it would be wrong:
 *
 * <ul>
 *   <li>what was handed out for reading ends when the buffer is asked for elsewhere to be written;
 *   <li>what was handed out for writing ends when the buffer is asked for elsewhere at all, since a
 *       later write would be missed there;
 *   <li>everything ends when the buffer is closed, or adopts other memory on that side.
 * </ul>
 *
 * <p>A {@code MemorySegment} that has ended answers every access with the JDK's {@code
 * IllegalStateException: Already closed}; {@link #checkLive} says which buffer it was of, and what
 * to do. Segments of memory that {@link #setCpuData} adopted are the exception: these live as long
 * as the caller's arena. A thread that calls while another one waits for a copy waits, too.
 *
 * <p>Where a call fails, the buffer holds what it held, where it held it, and memory that the call
 * allocated is given back; but what was handed out may have ended. Only memory that cannot be given
 * back is told when the rest is done: the buffer is closed then, or has adopted, even so.
 *
 * <p>Safe for use by many threads: each method happens as a whole, and of threads that need the
 * same copy one makes it. Reads and writes through what was handed out are the caller's to order;
 * one that comes too late fails, and never touches memory that is gone. Work that the caller has
 * queued on a stream is the caller's to wait for before the buffer is asked for elsewhere or
 * closed.
 *
 * <p>A buffer that is found unreachable and was not closed is reported as a warning of the logger
 * {@code dev.stowage.memory}, with the stack that made it if an allocator of it keeps stacks; its
 * memory is not given back, since segments of it may still be in use.
 *
 * <p>A buffer without bytes takes no memory of a pool. Of a device it takes the smallest chunk,
 * since kernels need an address.
 *
 * <p>A call costs well under a microsecond where nothing is copied, and some tens of microseconds
 * more where host segments have to end: the JVM has to ask all threads whether they are using one.
 *
 * <p>From Caffe's {@code SyncedMemory}, whose states and copies are the same. What is new: written
 * ranges, several devices, and all that is checked.
 */
public final class SyncedMemory implements AutoCloseable {

  /* This is the lock, and what callers may ask; what happens to the copies is in `Sides`. */

  private final String name;
  private final long bytes;
  private final Sides sides;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final Cleaner.Cleanable watch;

  private SyncedMemory(String name, long bytes, HostSource source, List<DeviceMemory> devices) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a buffer has no name");
    }
    if (bytes < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "buffer '%s' has a negative size: bytes=%d", name, bytes));
    }
    this.name = name;
    this.bytes = bytes;
    sides = new Sides(name, bytes, source, devices);
    watch = watch(this, name, bytes, open, keepsStacks(source, devices));
  }

  private static boolean keepsStacks(HostSource source, List<DeviceMemory> devices) {
    return source.keepsStacks()
        || devices.stream().anyMatch(memory -> memory.allocator().options().hasStacks());
  }

  private static Cleaner.Cleanable watch(
      SyncedMemory buffer, String name, long bytes, AtomicBoolean open, boolean withStack) {
    if (UnclosedReport.isSuppressed()) {
      return () -> {};
    }
    Optional<CallerStack> stack = withStack ? Optional.of(new CallerStack()) : Optional.empty();
    return unclosedReport(name, bytes, open, stack, UnclosedReport::warn).watch(buffer);
  }

  /** {@return the report of a buffer, to which it does not refer} */
  static UnclosedReport unclosedReport(
      String name,
      long bytes,
      AtomicBoolean open,
      Optional<CallerStack> stack,
      Consumer<String> report) {
    return new UnclosedReport(
        open::get,
        () ->
            String.format(
                Locale.ROOT,
                "buffer '%s' of %d bytes became unreachable without being closed, and its memory stays in use: call close()",
                name,
                bytes),
        stack,
        report);
  }

  /**
   * {@return a buffer of zeros, with nothing allocated yet}
   *
   * <p>Its host memory is staging memory of the first device: pinned, where the device has that.
   *
   * @param name what messages and the allocators' reports call it
   * @param bytes its size
   * @param device the device that {@link #gpuData()} is about
   * @param others other devices
   * @throws IllegalArgumentException if {@code name} is empty, {@code bytes < 0}, or a device is
   *     named twice
   */
  public static SyncedMemory of(
      String name, long bytes, DeviceMemory device, DeviceMemory... others) {
    return new SyncedMemory(
        name,
        bytes,
        new HostSource.Staging(device.device()),
        Stream.concat(Stream.of(device), Stream.of(others)).toList());
  }

  /**
   * {@return a buffer of zeros, with nothing allocated yet, and its host memory from a pool}
   *
   * @param name what messages and the allocators' reports call it
   * @param bytes its size
   * @param pool what host memory is taken from; closed after the buffer
   * @param devices its devices; the first is the one that {@link #gpuData()} is about
   * @throws IllegalArgumentException if {@code name} is empty, {@code bytes < 0}, or a device is
   *     named twice
   */
  public static SyncedMemory of(String name, long bytes, MemoryPool pool, DeviceMemory... devices) {
    return new SyncedMemory(name, bytes, new HostSource.Pool(pool), List.of(devices));
  }

  /** {@return what messages call it} */
  public String name() {
    return name;
  }

  /** {@return its size in bytes} */
  public long byteSize() {
    return bytes;
  }

  /** {@return its devices; the first is the one that {@link #gpuData()} is about} */
  public List<Device> devices() {
    return sides.devices();
  }

  /**
   * {@return where its latest contents are}
   *
   * @throws IllegalStateException if the buffer is closed
   */
  public synchronized SyncedHead head() {
    checkOpen();
    return sides.head();
  }

  /**
   * {@return whether its latest contents are on a device}
   *
   * @param device which one
   * @throws IllegalArgumentException if it is none of the buffer's devices
   * @throws IllegalStateException if the buffer is closed
   */
  public synchronized boolean isCurrentOn(Device device) {
    checkOpen();
    return sides.on(device).isCurrent();
  }

  /** {@return what it has copied} */
  public synchronized CopyCounts copies() {
    return sides.copies();
  }

  // Host data.

  /**
   * {@return the contents on the host, to be read; copied there if they are only on a device}
   *
   * @throws IllegalStateException if the buffer is closed, or its host memory has ended, or a
   *     native call works on a segment that has to end
   * @throws BfcOutOfMemoryException if the pool or the device has no room
   * @throws DeviceException if the driver's call fails, or has no staging memory
   */
  public synchronized MemorySegment cpuData() {
    checkOpen();
    sides.bringToRead(sides.host());
    return sides.host().view(0, bytes, false);
  }

  /**
   * {@return the contents on the host, to be read and written; copied there if they are only on a
   * device}
   *
   * @throws IllegalStateException as {@link #cpuData()}
   * @throws BfcOutOfMemoryException as {@link #cpuData()}
   * @throws DeviceException as {@link #cpuData()}
   */
  public MemorySegment mutableCpuData() {
    return mutableCpuData(0, bytes);
  }

  /**
   * {@return a part of the contents on the host, to be read and written; all contents are copied
   * there if they are only on a device}
   *
   * <p>No more than this part has to be copied to a device afterwards that held the rest.
   *
   * @param offset the first byte of the part
   * @param count how many bytes it has
   * @throws IndexOutOfBoundsException if the part does not lie within the buffer
   * @throws IllegalStateException as {@link #cpuData()}
   * @throws BfcOutOfMemoryException as {@link #cpuData()}
   * @throws DeviceException as {@link #cpuData()}
   */
  public synchronized MemorySegment mutableCpuData(long offset, long count) {
    checkOpen();
    checkRange(offset, count);
    sides.bringToWrite(sides.host(), offset, count);
    return sides.host().view(offset, count, true);
  }

  /**
   * Lets the caller's memory be the host's copy, with what is in it as the buffer's contents.
   *
   * <p>The buffer's own host memory is freed; the caller's never is. It has to live until the
   * buffer is closed or adopts other memory. Segments of it that the buffer hands out do not end
   * when they become stale: they live as long as the caller's. Memory of a confined arena is for
   * its thread alone: in another one, a call that needs it is a {@link WrongThreadException}.
   *
   * @param data the caller's memory
   * @throws IllegalArgumentException if {@code data.byteSize() != byteSize()}, or it is read-only,
   *     or no native memory, or of a confined arena of another thread, or the buffer's own
   * @throws IllegalStateException if the buffer is closed, or {@code data} has ended, or a native
   *     call works on a segment that has to end
   * @throws DeviceException if what was pushed before failed; or the buffer's own memory could not
   *     be given back, and {@code data} is adopted even so
   */
  public synchronized void setCpuData(MemorySegment data) {
    checkOpen();
    sides.host().checkAdoptable(data);
    sides.adopt(sides.host(), () -> sides.host().adopt(data));
  }

  /**
   * Tells whether a segment that this buffer handed out can be used still.
   *
   * @param data what {@link #cpuData()} or {@link #mutableCpuData()} gave
   * @throws IllegalStateException if it has ended
   */
  public void checkLive(MemorySegment data) {
    if (!data.scope().isAlive()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "a host segment of buffer '%s' has ended: the buffer was written elsewhere since, or copied elsewhere if the segment was for writing, or is closed; ask cpuData() or mutableCpuData() again each time instead of keeping it",
              name));
    }
  }

  // Device data.

  /**
   * {@return the contents on the first device, to be read; copied there if they are not}
   *
   * @throws IllegalStateException if the buffer is closed or has no device, or the host memory that
   *     is to be copied has ended, or a native call works on a segment that has to end
   * @throws BfcOutOfMemoryException if the pool or the device has no room
   * @throws DeviceException if the driver's call fails, or has no staging memory, or what was
   *     pushed there before
   */
  public DeviceData gpuData() {
    return gpuData(sides.firstDevice());
  }

  /**
   * {@return the contents on a device, to be read; copied there if they are not}
   *
   * <p>From another device they go through the host, which is current then, too.
   *
   * @param device which one
   * @throws IllegalArgumentException if it is none of the buffer's devices
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public synchronized DeviceData gpuData(Device device) {
    checkOpen();
    DeviceSide side = sides.on(device);
    sides.bringToRead(side);
    return side.view(this, 0, bytes, false);
  }

  /**
   * {@return the contents on the first device, to be read and written; copied there if they are
   * not}
   *
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public DeviceData mutableGpuData() {
    return mutableGpuData(sides.firstDevice());
  }

  /**
   * {@return the contents on a device, to be read and written; copied there if they are not}
   *
   * @param device which one
   * @throws IllegalArgumentException if it is none of the buffer's devices
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public DeviceData mutableGpuData(Device device) {
    return mutableGpuData(device, 0, bytes);
  }

  /**
   * {@return a part of the contents on the first device, to be read and written; all contents are
   * copied there if they are not}
   *
   * <p>No more than this part has to be copied elsewhere afterwards, where the rest was held.
   *
   * @param offset the first byte of the part
   * @param count how many bytes it has
   * @throws IndexOutOfBoundsException if the part does not lie within the buffer
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public DeviceData mutableGpuData(long offset, long count) {
    return mutableGpuData(sides.firstDevice(), offset, count);
  }

  /**
   * {@return a part of the contents on a device, as {@link #mutableGpuData(long, long)}}
   *
   * @param device which one
   * @param offset the first byte of the part
   * @param count how many bytes it has
   * @throws IllegalArgumentException if it is none of the buffer's devices
   * @throws IndexOutOfBoundsException if the part does not lie within the buffer
   * @throws IllegalStateException as {@link #gpuData()}
   * @throws BfcOutOfMemoryException as {@link #gpuData()}
   * @throws DeviceException as {@link #gpuData()}
   */
  public synchronized DeviceData mutableGpuData(Device device, long offset, long count) {
    checkOpen();
    DeviceSide side = sides.on(device);
    checkRange(offset, count);
    sides.bringToWrite(side, offset, count);
    return side.view(this, offset, count, true);
  }

  /**
   * Lets the caller's memory be the first device's copy, with what is in it as the buffer's
   * contents.
   *
   * @param address where {@link #byteSize()} bytes of the device are
   * @throws IllegalArgumentException as {@link #setGpuData(Device, long)}
   * @throws IllegalStateException as {@link #setGpuData(Device, long)}, or if there is no device
   * @throws DeviceException as {@link #setGpuData(Device, long)}
   */
  public void setGpuData(long address) {
    setGpuData(sides.firstDevice(), address);
  }

  /**
   * Lets the caller's memory be a device's copy, with what is in it as the buffer's contents.
   *
   * <p>The buffer's own memory there is freed; the caller's never is. It has to live until the
   * buffer is closed or adopts other memory.
   *
   * @param device which one
   * @param address where {@link #byteSize()} bytes of it are
   * @throws IllegalArgumentException if it is none of the buffer's devices, or {@code
   *     !device.hasRange(address, byteSize())}, or the address is in the buffer's own memory
   * @throws IllegalStateException if the buffer is closed, or a native call works on a segment that
   *     has to end
   * @throws DeviceException if what was pushed there before failed; or the buffer's own memory
   *     could not be given back, and the caller's is adopted even so
   */
  public synchronized void setGpuData(Device device, long address) {
    checkOpen();
    DeviceSide side = sides.on(device);
    side.checkAdoptable(address);
    sides.adopt(side, () -> side.adopt(address));
  }

  /**
   * Queues the copy from the host to a stream's device, and has both current.
   *
   * <p>The buffer waits for the copy itself before it hands out the device's data, and before it
   * writes or frees what is copied; {@link #cpuData()} does not wait. Of a copy that has failed,
   * the buffer tells the next who would use it, and the contents are on the host only then.
   *
   * @param stream whose device to copy to; it has to live until the copy is done
   * @throws IllegalArgumentException if the stream is of none of the buffer's devices
   * @throws IllegalStateException if the latest contents are not on the host, or are on the device
   *     already: with one device, {@code head() != HEAD_AT_CPU}; or as {@link #gpuData()}
   * @throws BfcOutOfMemoryException if there is no room
   * @throws DeviceException if the driver's call fails, or what was pushed there before
   */
  public synchronized void asyncGpuPush(DeviceStream stream) {
    checkOpen();
    sides.push(stream);
  }

  private void checkRange(long offset, long count) {
    if (offset < 0 || count < 0 || count > bytes - offset) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "a part does not lie within buffer '%s': offset=%d, count=%d, size=%d",
              name,
              offset,
              count,
              bytes));
    }
  }

  private void checkOpen() {
    if (!open.get()) {
      throw new IllegalStateException(String.format(Locale.ROOT, "buffer '%s' is closed", name));
    }
  }

  /**
   * Ends what was handed out, and frees all memory but what was adopted; does nothing if that is
   * done.
   *
   * @throws IllegalStateException if a native call works on a segment, and nothing changes
   * @throws DeviceException if what was pushed failed, or memory could not be given back; the
   *     buffer is closed even so
   */
  @Override
  public synchronized void close() {
    if (open.get()) {
      sides.host().endAll(Lease.End.CLOSED); // which may be refused
      open.set(false);
      watch.clean();
      sides.close();
    }
  }

  /** Checks the invariants of the sides; for tests. */
  synchronized void checkInvariants() {
    if (open.get()) {
      sides.checkInvariants();
    }
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "buffer '%s' of %d bytes, %s",
        name,
        bytes,
        open.get() ? sides.head().toString() : "closed");
  }
}
