package dev.stowage.opencl;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A device of OpenCL.
 *
 * <p>A region is a buffer. OpenCL has no addresses, so they are of our own making: those of regions
 * are far apart, and never given twice. {@link #buffer} has the buffer behind an address, for
 * whoever calls OpenCL himself; {@link OpenClProgram} runs kernels.
 *
 * <p>Safe for use by many threads.
 */
public final class OpenClDevice implements Device {

  /*
   * Buffers are found by address under the device's lock, and retained, so that one that is freed
   * meanwhile goes when the driver's call is over; the call itself is made without the lock. The
   * queue is retained with them, and keeps the context, for a device that is closed meanwhile.
   *
   * What is done at once has a queue of its own, of which every call waits for its own command.
   *
   * Ranges are given to OpenCL as a buffer and an offset, for copies and fills have both. Only a
   * kernel gets nothing but a buffer: for that alone there are sub-buffers, one per argument and
   * launch.
   */

  /** Far above what the host's addresses are. */
  private static final long FIRST_ADDRESS = 1L << 56;

  /** What regions start at multiples of; between one's end and the next is at least a byte. */
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
  private int streamCount;
  private boolean closed;

  private record Region(long bytes, long memory) {}

  OpenClDevice(OpenCl api, OpenClDevices.Found found) {
    this.api = api;
    info = found.info();
    deviceId = found.device();
    context = api.queues().createContext(found.platform(), deviceId);
    queue = firstQueue();
    boolean onCpu = api.platforms().isCpu(deviceId);
    hostCopies = new HostCopies(api, queue, onCpu);
    hasNativeKernels = onCpu && api.platforms().hasNativeKernels(deviceId);
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
   * {@return a device, opened}
   *
   * @param info as {@link OpenClDevices#find} lists it
   * @throws IllegalArgumentException if this machine has no such device
   * @throws DeviceException if a driver's call fails
   */
  public static OpenClDevice open(OpenClDeviceInfo info) {
    return OpenClDevices.find().open(info);
  }

  /**
   * {@return the first device there is, opened; empty if there is none, of which {@link
   * OpenClDevices#absence} says why}
   *
   * @throws DeviceException if a driver's call fails
   */
  public static Optional<OpenClDevice> openFirst() {
    OpenClDevices devices = OpenClDevices.find();
    return devices.list().stream().findFirst().map(devices::open);
  }

  OpenCl api() {
    return api;
  }

  /** {@return whether its queues can call functions of this process, which reach its memory} */
  boolean hasNativeKernels() {
    return hasNativeKernels;
  }

  /** {@return what its platform says of it} */
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

  /** {@return what this device object has left: OpenCL does not tell what others hold} */
  @Override
  public synchronized long availableBytes() {
    return info.totalBytes() - heldBytes;
  }

  @Override
  public long alignmentBytes() {
    return info.alignmentBytes();
  }

  // For calls of OpenCL by others.

  /** {@return its cl_device_id} */
  public long deviceId() {
    return deviceId;
  }

  /**
   * {@return the cl_context that its buffers and queues are of; it lives until the device's end}
   *
   * @throws IllegalStateException if the device is closed
   */
  public synchronized long context() {
    checkOpen();
    return context;
  }

  /**
   * {@return the buffer behind an address; it lives until its region is freed}
   *
   * @param address an address within a region
   * @throws IllegalArgumentException if it lies in no region
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

  /** Counts a region before the driver is asked, without the lock, for it may take its time. */
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
   * {@return whether a buffer has got its memory}, which drivers may put off until its first use,
   * when it is too late to answer no; where not, it is released
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

  /** Moves no region's end: buffers keep their size; and returns false. */
  @Override
  public synchronized boolean resize(long address, long bytes, long newBytes) {
    DeviceChecks.checkRegionBytes(newBytes);
    held(address, bytes);
    return false;
  }

  /** {@return false: buffers keep their size} */
  @Override
  public boolean lengthens() {
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

  /** {@return a range of a region, to be closed} */
  synchronized BufferRange range(long address, long bytes) {
    Map.Entry<Long, Region> region = region(address, bytes);
    long memory = region.getValue().memory();
    api.buffers().retain(memory);
    api.queues().retainQueue(queue);
    return new BufferRange(api, queue, address, memory, address - region.getKey(), bytes);
  }

  /** {@return the queue of what is done at once, and with it the context, until it is released} */
  synchronized long retainedQueue() {
    checkOpen();
    api.queues().retainQueue(queue);
    return queue;
  }

  // Copies and fills, at once.

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

  @Override
  public void fill(long address, long bytes, byte value) {
    try (BufferRange range = range(address, bytes)) {
      if (bytes > 0) {
        api.queues()
            .awaitSuccess("clEnqueueFillBuffer", api.buffers().enqueueFill(queue, range, value));
      }
    }
  }

  // The host's side.

  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    if (bytes < 0) {
      throw new IllegalArgumentException("staging memory has negative bytes: bytes=" + bytes);
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
    OpenClStream stream = new OpenClStream(this, api.queues().createQueue(context, deviceId));
    streamCount++;
    return stream;
  }

  synchronized void streamClosed() {
    streamCount--;
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
    DeviceChecks.checkUnused(this, heldCount, heldBytes, streamCount);
    closed = true;
    api.queues().releaseQueue(queue);
    api.queues().releaseContext(context);
  }
}
