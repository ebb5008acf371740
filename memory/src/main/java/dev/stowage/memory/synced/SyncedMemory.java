package dev.stowage.memory.synced;

import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
 * allocated is given back; but what was handed out may have ended.
 *
 * <p>Safe for use by many threads: each method happens as a whole, and of threads that need the
 * same copy one makes it. Reads and writes through what was handed out are the caller's to order;
 * one that comes too late fails, and never touches memory that is gone. Work that the caller has
 * queued on a stream is the caller's to wait for before the buffer is asked for elsewhere or
 * closed.
 *
 * <p>A call costs well under a microsecond where nothing is copied, and some tens of microseconds
 * more where host segments have to end: the JVM has to ask all threads whether they are using one.
 *
 * <p>From Caffe's {@code SyncedMemory}, whose states and copies are the same. What is new: written
 * ranges, several devices, and all that is checked.
 */
public final class SyncedMemory implements AutoCloseable {

  /*
   *   S1  a side without memory is not current, and stale in whole;
   *   S2  the buffer is uninitialized, or at least one side is current in whole;
   *   S3  a side has readers only while it is current, and writers only while no other side is;
   *   S4  what a side is stale in is where it may differ from a current one.
   *
   * A call allocates first, which can fail and be undone; then ends what was handed out; then
   * copies, to sides that are stale and may so be left with anything in their stale ranges; and
   * tells sides that they are current when all of it has succeeded.
   */

  private final String name;
  private final long bytes;
  private final HostSide host;
  private final List<DeviceSide> devices;
  private CopyCounts copies = CopyCounts.NONE;
  private boolean closed;

  private SyncedMemory(String name, long bytes, HostSource source, List<DeviceMemory> memories) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a buffer has no name");
    }
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "buffer '%s' has a negative size: bytes=%d".formatted(name, bytes));
    }
    this.name = name;
    this.bytes = bytes;
    host = new HostSide(name, bytes, source);
    devices = memories.stream().map(memory -> new DeviceSide(name, bytes, memory)).toList();
    if (devices.stream().map(DeviceSide::device).distinct().count() < devices.size()) {
      throw new IllegalArgumentException(
          "buffer '%s' has a device twice: devices=%s".formatted(name, deviceNames()));
    }
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
  public long size() {
    return bytes;
  }

  /** {@return its devices; the first is the one that {@link #gpuData()} is about} */
  public List<Device> devices() {
    return devices.stream().map(DeviceSide::device).toList();
  }

  /**
   * {@return where its latest contents are}
   *
   * @throws IllegalStateException if the buffer is closed
   */
  public synchronized SyncedHead head() {
    checkOpen();
    return currentHead();
  }

  private SyncedHead currentHead() {
    boolean onDevice = devices.stream().anyMatch(Side::isCurrent);
    if (host.isCurrent()) {
      return onDevice ? SyncedHead.SYNCED : SyncedHead.HEAD_AT_CPU;
    }
    return onDevice ? SyncedHead.HEAD_AT_GPU : SyncedHead.UNINITIALIZED;
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
    return side(device).isCurrent();
  }

  /** {@return what it has copied} */
  public synchronized CopyCounts copies() {
    return copies;
  }

  // Host data.

  /**
   * {@return the contents on the host, to be read; copied there if they are only on a device}
   *
   * @throws IllegalStateException if the buffer is closed, or its host memory has ended, or a
   *     native call works on a segment that has to end
   * @throws BfcOutOfMemoryException if there is no room; so too {@link OutOfMemoryError}
   * @throws DeviceException if the driver's call fails
   */
  public synchronized MemorySegment cpuData() {
    checkOpen();
    bring(host, false);
    return host.view(0, bytes, false);
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
    bring(host, true);
    outdateOthers(host, offset, count);
    return host.view(offset, count, true);
  }

  /**
   * Lets the caller's memory be the host's copy, with what is in it as the buffer's contents.
   *
   * <p>The buffer's own host memory is freed; the caller's never is. It has to live until the
   * buffer is closed or adopts other memory. Segments of it that the buffer hands out do not end
   * when they become stale: they live as long as the caller's.
   *
   * @param data the caller's memory
   * @throws IllegalArgumentException if {@code data.byteSize() != size()}, or it is read-only, or
   *     no native memory, or the buffer's own
   * @throws IllegalStateException if the buffer is closed, or {@code data} has ended, or a native
   *     call works on a segment that has to end
   * @throws DeviceException if what was pushed before failed
   */
  public synchronized void setCpuData(MemorySegment data) {
    checkOpen();
    checkAdoptable(data);
    devices.forEach(DeviceSide::awaitPushes);
    host.endAll(Lease.End.REPLACED);
    devices.forEach(side -> side.endAll(Lease.End.WRITTEN_ELSEWHERE));
    host.release();
    host.adopt(data);
    host.freshness().becomeCurrent();
    devices.forEach(side -> side.freshness().outdateAll());
  }

  private void checkAdoptable(MemorySegment data) {
    if (data.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "buffer '%s' cannot adopt memory of another size: size=%d, data=%d"
              .formatted(name, bytes, data.byteSize()));
    }
    if (!data.isNative()) {
      throw new IllegalArgumentException(
          "buffer '%s' cannot adopt memory of the Java heap, which devices cannot copy from: data=%s"
              .formatted(name, data));
    }
    if (data.isReadOnly()) {
      throw new IllegalArgumentException(
          "buffer '%s' cannot adopt read-only memory, since a device may write; copy it into mutableCpuData() instead"
              .formatted(name));
    }
    if (!data.scope().isAlive()) {
      throw new IllegalStateException(
          "buffer '%s' cannot adopt memory that has ended: data=%s".formatted(name, data));
    }
    if (host.owns(data)) {
      throw new IllegalArgumentException(
          "buffer '%s' cannot adopt its own host memory, which it frees then: data=%s"
              .formatted(name, data));
    }
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
          "a host segment of buffer '%s' has ended: the buffer was written elsewhere since, or copied elsewhere if the segment was for writing, or is closed; ask cpuData() or mutableCpuData() again each time instead of keeping it"
              .formatted(name));
    }
  }

  // Device data.

  /**
   * {@return the contents on the first device, to be read; copied there if they are not}
   *
   * @throws IllegalStateException if the buffer is closed or has no device, or the host memory that
   *     is to be copied has ended, or a native call works on a segment that has to end
   * @throws BfcOutOfMemoryException if there is no room; so too {@link OutOfMemoryError}
   * @throws DeviceException if the driver's call fails, or what was pushed there before
   */
  public DeviceData gpuData() {
    return gpuData(firstDevice());
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
    DeviceSide side = side(device);
    bring(side, false);
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
    return mutableGpuData(firstDevice());
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
    return mutableGpuData(firstDevice(), offset, count);
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
    DeviceSide side = side(device);
    checkRange(offset, count);
    bring(side, true);
    outdateOthers(side, offset, count);
    return side.view(this, offset, count, true);
  }

  /**
   * Lets the caller's memory be the first device's copy, with what is in it as the buffer's
   * contents.
   *
   * @param address where {@link #size()} bytes of the device are
   * @throws IllegalArgumentException as {@link #setGpuData(Device, long)}
   * @throws IllegalStateException as {@link #setGpuData(Device, long)}, or if there is no device
   * @throws DeviceException as {@link #setGpuData(Device, long)}
   */
  public void setGpuData(long address) {
    setGpuData(firstDevice(), address);
  }

  /**
   * Lets the caller's memory be a device's copy, with what is in it as the buffer's contents.
   *
   * <p>The buffer's own memory there is freed; the caller's never is. It has to live until the
   * buffer is closed or adopts other memory.
   *
   * @param device which one
   * @param address where {@link #size()} bytes of it are
   * @throws IllegalArgumentException if it is none of the buffer's devices, or the address is in
   *     the buffer's own memory
   * @throws IllegalStateException if the buffer is closed, or a native call works on a segment that
   *     has to end
   * @throws DeviceException if what was pushed there before failed
   */
  public synchronized void setGpuData(Device device, long address) {
    checkOpen();
    DeviceSide side = side(device);
    if (side.owns(address)) {
      throw new IllegalArgumentException(
          "buffer '%s' cannot adopt its own memory on device '%s', which it frees then: address=0x%x"
              .formatted(name, device.name(), address));
    }
    side.awaitPushes();
    host.endAll(Lease.End.WRITTEN_ELSEWHERE);
    othersThan(side).forEach(other -> other.endAll(Lease.End.WRITTEN_ELSEWHERE));
    side.endAll(Lease.End.REPLACED);
    side.release();
    side.adopt(address);
    side.freshness().becomeCurrent();
    othersThan(side).forEach(other -> other.freshness().outdateAll());
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
   * @throws IllegalStateException if {@code head() != HEAD_AT_CPU}, or as {@link #gpuData()}
   * @throws BfcOutOfMemoryException if there is no room
   * @throws DeviceException if the driver's call fails, or what was pushed there before
   */
  public synchronized void asyncGpuPush(DeviceStream stream) {
    checkOpen();
    DeviceSide side = side(stream.device());
    if (currentHead() != SyncedHead.HEAD_AT_CPU) {
      throw new IllegalStateException(
          "buffer '%s' cannot be pushed to device '%s': head=%s, and only HEAD_AT_CPU has something to push"
              .formatted(name, side.device().name(), currentHead()));
    }
    side.awaitPushes();
    withMemory(
        List.of(side),
        () -> {
          host.endWriters(Lease.End.READ_ELSEWHERE);
          push(side, stream);
        });
    side.freshness().becomeCurrent();
  }

  private void push(DeviceSide side, DeviceStream stream) {
    MemorySegment source = host.segment();
    CopyCounts counts = copies;
    try {
      for (ByteRanges.ByteRange range : side.freshness().stale()) {
        stream.copyFromHost(
            source.asSlice(range.offset(), range.bytes()), side.address() + range.offset());
        side.pushed(stream.record());
        counts = counts.plusToDevices(range.bytes());
      }
    } catch (DeviceException failed) {
      DeviceException named = named(side.pushDescription(), failed);
      abandonPush(side, stream, named);
      throw named;
    } catch (RuntimeException | Error failed) {
      abandonPush(side, stream, failed);
      throw failed;
    }
    copies = counts;
  }

  /** Waits for what was queued of a push that is not to be: it would overwrite later contents. */
  private static void abandonPush(DeviceSide side, DeviceStream stream, Throwable failed) {
    try {
      stream.synchronize();
      side.awaitPushes();
    } catch (DeviceException | IllegalStateException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  // What all this stands on.

  /** Lets a side be current, and alone if it is to be written; all or nothing. */
  private void bring(Side side, boolean writing) {
    awaitPushesBefore(side, writing);
    List<Side> path = path(side);
    withMemory(
        path,
        () -> {
          endOthers(side, writing);
          fill(path);
        });
    path.forEach(each -> each.freshness().becomeCurrent());
  }

  private void awaitPushesBefore(Side side, boolean writing) {
    switch (side) {
      case DeviceSide device -> device.awaitPushes();
      case HostSide _ -> {
        if (writing || !host.isCurrent()) {
          devices.forEach(DeviceSide::awaitPushes);
        }
      }
    }
  }

  /** {@return the sides that have to become current for one to be, in order} */
  private List<Side> path(Side side) {
    if (side.isCurrent()) {
      return List.of();
    }
    boolean throughHost = side != host && currentHead() == SyncedHead.HEAD_AT_GPU;
    return throughHost ? List.of(host, side) : List.of(side);
  }

  /** Does something with memory on some sides, which is given back if it fails. */
  private static void withMemory(List<? extends Side> sides, Runnable action) {
    List<Side> allocated = new ArrayList<>();
    try {
      for (Side side : sides) {
        if (!side.isAllocated()) {
          side.allocate();
          allocated.add(side);
        }
      }
      action.run();
    } catch (RuntimeException | Error failed) {
      attempt(allocated.reversed().stream().map(side -> side::release), failed);
      throw failed;
    }
  }

  /** Does everything, and adds what fails to a failure. */
  private static void attempt(Stream<Runnable> actions, Throwable failure) {
    actions.forEach(action -> {
      try {
        action.run();
      } catch (RuntimeException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
    });
  }

  /** Ends what would become wrong, on the host first, where that can be refused. */
  private void endOthers(Side side, boolean writing) {
    for (Side other : othersThan(side)) {
      if (writing) {
        other.endAll(Lease.End.WRITTEN_ELSEWHERE);
      } else if (!side.isCurrent()) {
        other.endWriters(Lease.End.READ_ELSEWHERE);
      }
    }
  }

  private void fill(List<Side> path) {
    if (currentHead() == SyncedHead.UNINITIALIZED) {
      path.forEach(this::zero);
      return;
    }
    for (Side side : path) {
      switch (side) {
        case HostSide _ -> copyToHost();
        case DeviceSide device -> copyToDevice(device);
      }
    }
  }

  private void zero(Side side) {
    try {
      side.zero();
    } catch (DeviceException failed) {
      throw named("the zeroing of buffer '%s'".formatted(name), failed);
    }
  }

  private void copyToHost() {
    DeviceSide from = devices.stream().filter(Side::isCurrent).findFirst().orElseThrow();
    MemorySegment target = host.segment();
    for (ByteRanges.ByteRange range : host.freshness().stale()) {
      try {
        from.device()
            .copyToHost(
                from.address() + range.offset(), target.asSlice(range.offset(), range.bytes()));
      } catch (DeviceException failed) {
        throw named("%s from device '%s'".formatted(copyOf(range), from.device().name()), failed);
      }
      copies = copies.plusToHost(range.bytes());
    }
  }

  private void copyToDevice(DeviceSide to) {
    MemorySegment source = host.segment();
    for (ByteRanges.ByteRange range : to.freshness().stale()) {
      try {
        to.device()
            .copyFromHost(
                source.asSlice(range.offset(), range.bytes()), to.address() + range.offset());
      } catch (DeviceException failed) {
        throw named("%s to device '%s'".formatted(copyOf(range), to.device().name()), failed);
      }
      copies = copies.plusToDevices(range.bytes());
    }
  }

  private String copyOf(ByteRanges.ByteRange range) {
    return "the copy of bytes [%d, %d) of buffer '%s'".formatted(range.offset(), range.end(), name);
  }

  /** {@return the same failure, telling what it was for} */
  static DeviceException named(String what, DeviceException failed) {
    DeviceException named = new DeviceException(what, failed.code(), failed.codeName());
    named.initCause(failed);
    return named;
  }

  private void outdateOthers(Side written, long offset, long count) {
    othersThan(written).forEach(other -> other.freshness().outdate(offset, count));
  }

  private List<Side> othersThan(Side side) {
    return Stream.concat(Stream.of(host), devices.stream()).filter(other -> other != side).toList();
  }

  private DeviceSide side(Device device) {
    return devices.stream()
        .filter(side -> side.device().equals(device))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "buffer '%s' cannot be used on device '%s': its devices are %s; name all devices when the buffer is made"
                    .formatted(name, device.name(), deviceNames())));
  }

  private Device firstDevice() {
    if (devices.isEmpty()) {
      throw new IllegalStateException(
          "buffer '%s' has no device: name one when the buffer is made".formatted(name));
    }
    return devices.getFirst().device();
  }

  private String deviceNames() {
    return devices.stream()
        .map(side -> "'" + side.device().name() + "'")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private void checkRange(long offset, long count) {
    if (offset < 0 || count < 0 || count > bytes - offset) {
      throw new IndexOutOfBoundsException(
          "a part does not lie within buffer '%s': offset=%d, count=%d, size=%d"
              .formatted(name, offset, count, bytes));
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("buffer '%s' is closed".formatted(name));
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
    if (closed) {
      return;
    }
    host.endAll(Lease.End.CLOSED);
    closed = true;
    List<Runnable> endings = new ArrayList<>();
    devices.forEach(side -> endings.add(() -> side.endAll(Lease.End.CLOSED)));
    devices.forEach(side -> endings.add(side::awaitPushes));
    devices.forEach(side -> endings.add(side::release));
    endings.add(host::release);
    List<RuntimeException> failures = new ArrayList<>();
    for (Runnable ending : endings) {
      try {
        ending.run();
      } catch (RuntimeException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  @Override
  public synchronized String toString() {
    return "buffer '%s' of %d bytes, %s"
        .formatted(name, bytes, closed ? "closed" : currentHead().toString());
  }
}
