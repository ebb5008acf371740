package dev.stowage.opencl;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A device of OpenCL.
 *
 * <p>A region is a buffer. OpenCL has no addresses, so the device assigns them: the addresses of
 * regions are far apart and never reused. {@link #buffer} returns the buffer of an address, for
 * callers of OpenCL. {@link OpenClProgram} runs kernels.
 *
 * <p>Devices are safe for use by many threads.
 */
public final class OpenClDevice implements Device {

  /*
   * A call finds its buffer under the lock of the device, and retains it. If another thread frees
   * the buffer meanwhile, it exists until the call of the driver has returned. The call of the
   * driver is made without the lock. The queue keeps the context. It is retained, because another
   * thread may close the device.
   *
   * Immediate copies and fills have their own queue; each call waits for its command.
   *
   * A device has a context of its own, or one context with others. In a common context, each
   * command can use all buffers, so that buffers of two devices are copied by one command.
   *
   * Copies and fills take a buffer and an offset. A kernel only takes a buffer, so each argument of
   * a launch is a sub-buffer.
   */

  /** An address far above all addresses of the host. */
  private static final long FIRST_ADDRESS = 1L << 56;

  /** The alignment of regions; at least one byte is between two regions. */
  private static final long REGION_DISTANCE = 1L << 21;

  private final OpenCl api;
  private final OpenClDeviceInfo info;
  private final long deviceId;
  private final long context;
  private final long queue;
  private final HostCopies hostCopies;
  private final boolean hasNativeKernels;
  private final TreeMap<Long, Region> regions = new TreeMap<>();
  private long nextAddress = FIRST_ADDRESS;
  private int heldCount;
  private long heldBytes;

  /** The command queues of the open streams. */
  private final Set<Long> streamQueues = new HashSet<>();

  private boolean closed;

  private record Region(long bytes, long memory) {}

  /**
   * Creates an open device.
   *
   * @param context a context with the device, which is released with this object
   */
  private OpenClDevice(OpenCl api, OpenClDevices.Found found, long context) {
    this.api = api;
    this.context = context;
    info = found.info();
    deviceId = found.device();
    queue = firstQueue();
    boolean onCpu = api.platforms().isCpu(deviceId);
    hostCopies = new HostCopies(api, queue, onCpu);
    hasNativeKernels = onCpu && api.platforms().hasNativeKernels(deviceId);
  }

  /** {@return an open device with a context of its own} */
  static OpenClDevice alone(OpenCl api, OpenClDevices.Found found) {
    long context = api.queues().createContext(found.platform(), found.device());
    return new OpenClDevice(api, found, context);
  }

  /** {@return open devices of one platform with one context, which the last one releases} */
  static List<OpenClDevice> together(OpenCl api, List<OpenClDevices.Found> found) {
    long[] ids = found.stream().mapToLong(OpenClDevices.Found::device).distinct().toArray();
    long context = api.queues().createContext(found.getFirst().platform(), ids);
    List<OpenClDevice> devices = new ArrayList<>();
    boolean isDone = false;
    try {
      for (OpenClDevices.Found each : found) {
        api.queues().retainContext(context);
        devices.add(new OpenClDevice(api, each, context));
      }
      isDone = true;
      return List.copyOf(devices);
    } finally {
      api.queues().releaseContext(context);
      if (!isDone) {
        devices.forEach(OpenClDevice::close);
      }
    }
  }

  private long firstQueue() {
    try {
      return api.queues().createQueue(context, deviceId);
    } catch (RuntimeException | Error failed) {
      api.queues().releaseContext(context);
      throw failed;
    }
  }

  /**
   * {@return an open device}
   *
   * @param info a description from {@link OpenClDevices#find}
   * @throws IllegalArgumentException if this machine has no such device
   * @throws DeviceException if a call of the driver fails
   */
  public static OpenClDevice open(OpenClDeviceInfo info) {
    return OpenClDevices.find().open(info);
  }

  /**
   * {@return the first device, open; empty if there is none, for the reason of {@link
   * OpenClDevices#absence}}
   *
   * @throws DeviceException if a call of the driver fails
   */
  public static Optional<OpenClDevice> openFirst() {
    OpenClDevices devices = OpenClDevices.find();
    return devices.list().stream().findFirst().map(devices::open);
  }

  OpenCl api() {
    return api;
  }

  /** {@return true if queues can call functions of this process, which access the memory} */
  boolean hasNativeKernels() {
    return hasNativeKernels;
  }

  /** {@return the description by the platform} */
  public OpenClDeviceInfo info() {
    return info;
  }

  @Override
  public String name() {
    return info.name();
  }

  @Override
  public long totalBytes() {
    return info.totalBytes();
  }

  /**
   * {@return the total bytes without the regions of this object; OpenCL does not report other use}
   */
  @Override
  public synchronized long availableBytes() {
    return info.totalBytes() - heldBytes;
  }

  @Override
  public long alignmentBytes() {
    return info.alignmentBytes();
  }

  // Handles for callers of OpenCL.

  /** {@return the cl_device_id} */
  public long deviceId() {
    return deviceId;
  }

  /**
   * {@return the cl_context of buffers and queues, which lives until the device is closed}
   *
   * @throws IllegalStateException if the device is closed
   */
  public synchronized long context() {
    checkOpen();
    return context;
  }

  /**
   * {@return the buffer of an address, which lives until its region is freed}
   *
   * @param address an address within a region
   * @throws IllegalArgumentException if the address lies in no region
   */
  public synchronized OpenClBuffer buffer(long address) {
    Map.Entry<Long, Region> region = region(address, 1);
    return new OpenClBuffer(region.getValue().memory(), address - region.getKey());
  }

  // Regions.

  @Override
  public OptionalLong allocate(long bytes) {
    DeviceChecks.checkRegionBytes(bytes);
    if (!reserve(bytes)) {
      return OptionalLong.empty();
    }
    OptionalLong address = OptionalLong.empty();
    try {
      OptionalLong memory = api.buffers().tryCreate(context, bytes);
      if (memory.isPresent() && isPlaced(memory.getAsLong())) {
        address = OptionalLong.of(add(new Region(bytes, memory.getAsLong())));
      }
    } finally {
      if (address.isEmpty()) {
        unreserve(bytes);
      }
    }
    return address;
  }

  /** Counts a new region before the call of the driver, which is slow and runs without the lock. */
  private synchronized boolean reserve(long bytes) {
    checkOpen();
    if (bytes > info.maxAllocationBytes() || bytes > availableBytes()) {
      return false;
    }
    heldCount++;
    heldBytes += bytes;
    return true;
  }

  private synchronized void unreserve(long bytes) {
    heldCount--;
    heldBytes -= bytes;
  }

  private synchronized long add(Region region) {
    long address = nextAddress;
    nextAddress += (region.bytes() / REGION_DISTANCE + 1) * REGION_DISTANCE;
    regions.put(address, region);
    return address;
  }

  /**
   * Allocates the memory of a buffer, which drivers can delay until its first use, and {@return
   * true if there is enough}. If there is too little, the method releases the buffer.
   */
  private boolean isPlaced(long memory) {
    try {
      api.queues()
          .awaitSuccess("clEnqueueMigrateMemObjects", api.buffers().enqueueMigrate(queue, memory));
      return true;
    } catch (RuntimeException | Error failed) {
      api.buffers().release(memory);
      if (failed instanceof DeviceException e && OpenClError.isOutOfMemory(e.code())) {
        return false;
      }
      throw failed;
    }
  }

  @Override
  public void free(long address, long bytes) {
    Region region;
    synchronized (this) {
      region = held(address, bytes);
      regions.remove(address);
    }
    try {
      api.buffers().release(region.memory());
    } catch (RuntimeException | Error failed) {
      keep(address, region);
      throw failed;
    }
    unreserve(region.bytes());
  }

  private synchronized void keep(long address, Region region) {
    regions.put(address, region);
  }

  /** Returns false: buffers keep their size. */
  @Override
  public synchronized boolean resize(long address, long bytes, long newBytes) {
    DeviceChecks.checkRegionBytes(newBytes);
    held(address, bytes);
    return false;
  }

  /** {@return false: buffers keep their size} */
  @Override
  public boolean canLengthen() {
    return false;
  }

  private Region held(long address, long bytes) {
    Region region = regions.get(address);
    if (region == null || region.bytes() != bytes) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "device '%s' has no region of %d bytes at 0x%x",
              name(),
              bytes,
              address));
    }
    return region;
  }

  @Override
  public synchronized boolean hasRange(long address, long bytes) {
    return find(address, bytes).isPresent();
  }

  private Map.Entry<Long, Region> region(long address, long bytes) {
    return find(address, bytes).orElseThrow(() -> DeviceChecks.noSuchRange(this, address, bytes));
  }

  private Optional<Map.Entry<Long, Region>> find(long address, long bytes) {
    return Optional.ofNullable(regions.floorEntry(address))
        .filter(below -> {
          long regionBytes = below.getValue().bytes();
          long offset = address - below.getKey();
          return bytes >= 0 && offset <= regionBytes && bytes <= regionBytes - offset;
        });
  }

  /** {@return a range of a region, which the caller closes} */
  synchronized BufferRange range(long address, long bytes) {
    Map.Entry<Long, Region> region = region(address, bytes);
    long memory = region.getValue().memory();
    api.buffers().retain(memory);
    api.queues().retainQueue(queue);
    return new BufferRange(
        address, memory, address - region.getKey(), bytes, () -> release(memory));
  }

  private void release(long memory) {
    api.buffers().release(memory);
    api.queues().releaseQueue(queue);
  }

  /** {@return the queue of immediate copies, which the caller releases; it keeps the context} */
  synchronized long retainedQueue() {
    checkOpen();
    api.queues().retainQueue(queue);
    return queue;
  }

  // Copies and fills.

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    try (BufferRange target = range(address, source.byteSize())) {
      if (target.bytes() > 0) {
        hostCopies.copy(source, target);
      }
    }
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkWritable(target);
    try (BufferRange source = range(address, target.byteSize())) {
      if (source.bytes() > 0) {
        hostCopies.copy(source, target);
      }
    }
  }

  @Override
  public void copy(long source, long target, long bytes) {
    DeviceChecks.checkDisjoint(source, target, bytes);
    try (BufferRange from = range(source, bytes);
        BufferRange to = range(target, bytes)) {
      if (bytes > 0) {
        api.queues()
            .awaitSuccess("clEnqueueCopyBuffer", api.buffers().enqueueCopy(queue, from, to));
      }
    }
  }

  /**
   * {@return true for a device with the same context, as of {@link OpenClDevices#openTogether}}
   *
   * <p>The driver decides how it copies, such as through host memory of its own.
   */
  @Override
  public boolean canCopyFrom(Device source) {
    return source instanceof OpenClDevice other && other.context == context;
  }

  @Override
  public void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    if (source == this || !canCopyFrom(source)) {
      Device.super.copyFrom(source, sourceAddress, address, bytes);
      return;
    }
    OpenClDevice other = (OpenClDevice) source;
    try (BufferRange from = other.range(sourceAddress, bytes);
        BufferRange to = range(address, bytes)) {
      if (bytes > 0) {
        api.queues()
            .awaitSuccess("clEnqueueCopyBuffer", api.buffers().enqueueCopy(queue, from, to));
      }
    }
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    try (BufferRange range = range(address, bytes)) {
      if (bytes > 0) {
        api.queues()
            .awaitSuccess("clEnqueueFillBuffer", api.buffers().enqueueFill(queue, range, value));
      }
    }
  }

  // Host memory and streams.

  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "bytes of staging memory must not be negative: bytes=" + bytes);
    }
    if (bytes == 0) {
      checkOpen();
      return arena.allocate(0);
    }
    try {
      return StagingMemory.allocate(api, context, retainedQueue(), bytes, arena);
    } catch (DeviceException e) {
      if (OpenClError.isOutOfMemory(e.code())) {
        throw DeviceChecks.noStaging(this, bytes, info.maxAllocationBytes(), e);
      }
      throw e;
    }
  }

  @Override
  public synchronized OpenClStream openStream() {
    checkOpen();
    long streamQueue = api.queues().createQueue(context, deviceId);
    streamQueues.add(streamQueue);
    return new OpenClStream(this, streamQueue);
  }

  /** Waits for the queues of all open streams, but not for queues of other libraries. */
  @Override
  public void synchronize() {
    List<Long> queues = retainedStreamQueues();
    try {
      queues.forEach(api.queues()::finish);
    } finally {
      queues.forEach(api.queues()::releaseQueue);
    }
  }

  private synchronized List<Long> retainedStreamQueues() {
    checkOpen();
    streamQueues.forEach(api.queues()::retainQueue);
    return List.copyOf(streamQueues);
  }

  /** Forgets the queue of a stream, which the stream is about to release. */
  synchronized void streamClosed(long streamQueue) {
    streamQueues.remove(streamQueue);
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedDevice(this);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    DeviceChecks.checkUnused(this, heldCount, heldBytes, streamQueues.size());
    closed = true;
    api.queues().releaseQueue(queue);
    api.queues().releaseContext(context);
  }
}
