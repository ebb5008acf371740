package dev.stowage.cuda;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * A GPU that is used through the CUDA driver.
 *
 * <p>The device uses the primary context, as the CUDA runtime does, so that both have the same
 * addresses. The contents of new memory are undefined. Only {@linkplain #allocateStaging pinned}
 * host memory is copied directly. Copies of other native memory go through pinned memory of the
 * driver, which takes longer. Copies of heap segments go through pinned memory of the device; from
 * 4 MiB on, several threads of the common pool copy. A device has at most 32 MiB of such memory.
 * Streams do not wait for each other or for the default stream of the CUDA runtime, unless the
 * caller queues a wait.
 *
 * <p>Events and host memory can outlive their device. The context is released with the last of
 * them.
 *
 * <p>Devices are safe for use by many threads. Opening the first device of a GPU can take a second.
 * A region takes microseconds to milliseconds, a copy the microseconds of the driver and some 100
 * ns.
 */
public final class CudaDevice implements Device {

  /** The stream of calls without a stream argument. */
  private static final long DEFAULT_STREAM = 0;

  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int HAS_CONCURRENT_UNIFIED_MEMORY = 89;
  private static final int HAS_VIRTUAL_MEMORY = 102;

  private final int ordinal;
  private final CudaContext context;
  private final CudaDriver driver;
  private final long totalBytes;
  private final int computeCapability;
  private final boolean isUnified;
  private final CudaRegions source;
  private final StagedCopies stagedCopies;

  /** Changed under the lock of this device, and read without it. */
  private final ConcurrentSkipListMap<Long, CudaRegion> regions = new ConcurrentSkipListMap<>();

  private int streamCount;
  private volatile boolean closed;

  private CudaDevice(
      int ordinal,
      CudaContext context,
      long totalBytes,
      int computeCapability,
      boolean isUnified,
      CudaRegions source) {
    this.ordinal = ordinal;
    this.context = context;
    this.driver = context.driver();
    this.totalBytes = totalBytes;
    this.computeCapability = computeCapability;
    this.isUnified = isUnified;
    this.source = source;
    this.stagedCopies = new StagedCopies(context);
  }

  /**
   * {@return a device with regions that never grow}
   *
   * @param ordinal the number of the device, from 0
   * @throws IllegalStateException if this machine has no CUDA
   * @throws IllegalArgumentException if there is no such device
   * @throws DeviceException if a call of the driver fails
   * @throws IllegalCallerException if the module has no native access
   */
  public static CudaDevice open(int ordinal) {
    return open(ordinal, CudaOptions.fixed());
  }

  /**
   * {@return a device with options for its regions}
   *
   * @param ordinal the number of the device, from 0
   * @param options the options
   * @throws IllegalStateException if this machine has no CUDA
   * @throws IllegalArgumentException if there is no such device
   * @throws DeviceException if a call of the driver fails, or the device has no virtual memory for
   *     regions that grow
   * @throws IllegalCallerException if the module has no native access
   */
  public static CudaDevice open(int ordinal, CudaOptions options) {
    return open(CudaLibrary.INSTALLED, ordinal, options);
  }

  /** {@return a device of the driver in a library} */
  static CudaDevice open(CudaLibrary library, int ordinal, CudaOptions options) {
    CudaDriver driver;
    try {
      driver = CudaDevices.started(library);
    } catch (NoCudaException e) {
      throw new IllegalStateException(e.reason(), e);
    }
    CudaDeviceInfo info = CudaDevices.info(driver, ordinal);
    String name = String.format(Locale.ROOT, "cuda:%d %s", ordinal, info.name());
    int device = CudaDevices.handle(driver, ordinal);
    int computeCapability = (int) attribute(driver, device, name, COMPUTE_CAPABILITY_MAJOR);
    if (options.reservedBytes() > 0) {
      checkHas(driver, device, name, HAS_VIRTUAL_MEMORY, "expandable regions", "virtual memory");
    }
    if (options.isUnified()) {
      checkHas(
          driver,
          device,
          name,
          HAS_CONCURRENT_UNIFIED_MEMORY,
          "unified regions",
          "memory that the host and kernels access at the same time");
    }
    CudaContext context = CudaContext.retain(driver, device, name);
    try {
      CudaRegions source =
          options.reservedBytes() > 0
              ? new VirtualRegions(context, device, info.totalBytes(), options)
              : new AllocatedRegions(context, options.isUnified());
      return new CudaDevice(
          ordinal, context, info.totalBytes(), computeCapability, options.isUnified(), source);
    } catch (RuntimeException | Error failed) {
      context.release();
      throw failed;
    }
  }

  private static void checkHas(
      CudaDriver driver, int device, String name, int attribute, String regions, String memory) {
    if (attribute(driver, device, name, attribute) == 0) {
      throw driver.failure(
          String.format(Locale.ROOT, "%s on device '%s', which has no %s,", regions, name, memory),
          CudaDriver.NOT_SUPPORTED);
    }
  }

  private static long attribute(CudaDriver driver, int device, String name, int attribute) {
    return driver.result(
        String.format(Locale.ROOT, "cuDeviceGetAttribute of device '%s'", name),
        results -> driver.deviceGetAttribute(results, attribute, device));
  }

  /** {@return the number and the maker's name of the device: {@code cuda:0 NVIDIA H200}} */
  @Override
  public String name() {
    return context.deviceName();
  }

  /** {@return the number of the device, as given to {@code open}} */
  @Override
  public OptionalInt cudaOrdinal() {
    return OptionalInt.of(ordinal);
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if a call of the driver fails
   */
  @Override
  public long availableBytes() {
    checkOpen();
    return context.result(
        () -> "cuMemGetInfo",
        results -> driver.memGetInfo(results, results.asSlice(Long.BYTES, Long.BYTES)));
  }

  /**
   * {@return the reserve of TensorFlow for the compute capability of this GPU}
   *
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if a call of the driver fails
   */
  @Override
  public long systemReserveBytes() {
    return DeviceChecks.gpuReserveBytes(this, computeCapability);
  }

  /** {@return true if the device was opened with {@link CudaOptions#unified()}} */
  @Override
  public boolean isUnified() {
    return isUnified;
  }

  /** {@return true if the device was opened with {@link CudaOptions#unified()}} */
  @Override
  public boolean isHostAddressable() {
    return isUnified;
  }

  @Override
  public long alignmentBytes() {
    return source.granularityBytes();
  }

  /** {@return the unit for growing and shrinking regions; 256 if they keep their size} */
  @Override
  public long granularityBytes() {
    return source.granularityBytes();
  }

  // Regions.

  @Override
  public synchronized OptionalLong allocate(long bytes) {
    DeviceChecks.checkRegionBytes(bytes);
    checkOpen();
    return hold(source.allocate(bytes));
  }

  /**
   * {@inheritDoc}
   *
   * <p>It needs a device that was opened with {@link CudaOptions#expandable()}; the bytes that
   * these options reserve are no limit here.
   */
  @Override
  public synchronized OptionalLong reserve(long bytes, long maxBytes) {
    DeviceChecks.checkReservation(bytes, maxBytes);
    checkOpen();
    return hold(source.reserve(bytes, maxBytes));
  }

  private OptionalLong hold(Optional<CudaRegion> region) {
    region.ifPresent(allocated -> regions.put(allocated.address(), allocated));
    return region
        .map(allocated -> OptionalLong.of(allocated.address()))
        .orElse(OptionalLong.empty());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Before the region loses memory, the call waits for all work of the device.
   */
  @Override
  public synchronized boolean resize(long address, long bytes, long newBytes) {
    DeviceChecks.checkRegionBytes(newBytes);
    CudaRegion region = held(address, bytes);
    boolean resized = source.resize(region, newBytes);
    if (resized) {
      region.setBytes(newBytes);
    }
    return resized;
  }

  /** {@return true if regions can grow} */
  @Override
  public boolean canLengthen() {
    return source.canLengthen();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The call waits for all work of the device. The caller may try again after a failure.
   */
  @Override
  public synchronized void free(long address, long bytes) {
    source.free(held(address, bytes));
    regions.remove(address);
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedDevice(this);
    }
  }

  private CudaRegion held(long address, long bytes) {
    CudaRegion region = regions.get(address);
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
  public boolean hasRange(long address, long bytes) {
    Map.Entry<Long, CudaRegion> below = regions.floorEntry(address);
    return below != null && below.getValue().contains(address, bytes);
  }

  private void checkRange(long address, long bytes) {
    if (!hasRange(address, bytes)) {
      throw DeviceChecks.noSuchRange(this, address, bytes);
    }
  }

  // Copies and fills.

  @Override
  public void copyFromHost(MemorySegment hostSource, long address) {
    long bytes = hostSource.byteSize();
    checkRange(address, bytes);
    if (bytes == 0) {
      return;
    }
    if (!hostSource.isNative()) {
      stagedCopies.copyFromHost(hostSource, address);
      return;
    }
    // An immediate copy from pageable memory would return before the device has all bytes.
    runNow(
        bytes,
        () -> String.format(Locale.ROOT, "cuMemcpyHtoDAsync of %d bytes to 0x%x", bytes, address),
        results -> driver.memcpyHtoDAsync(address, hostSource, bytes, DEFAULT_STREAM));
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkWritable(target);
    long bytes = target.byteSize();
    checkRange(address, bytes);
    if (bytes == 0) {
      return;
    }
    if (!target.isNative()) {
      stagedCopies.copyToHost(address, target);
      return;
    }
    context.call( // the driver's copy is complete when it returns
        () -> String.format(Locale.ROOT, "cuMemcpyDtoH of %d bytes from 0x%x", bytes, address),
        results -> driver.memcpyDtoH(target, address, bytes));
  }

  @Override
  public void copy(long from, long to, long bytes) {
    DeviceChecks.checkDisjoint(from, to, bytes);
    checkRange(from, bytes);
    checkRange(to, bytes);
    runNow(
        bytes,
        () ->
            String.format(
                Locale.ROOT, "cuMemcpyDtoD of %d bytes from 0x%x to 0x%x", bytes, from, to),
        results -> driver.memcpyDtoD(to, from, bytes));
  }

  /**
   * {@return true for CUDA devices}
   *
   * <p>The driver copies directly if the devices can access each other's memory, and otherwise
   * through its own host memory.
   */
  @Override
  public boolean canCopyFrom(Device other) {
    return contextOf(other).isPresent();
  }

  private Optional<CudaContext> contextOf(Device other) {
    return other instanceof CudaDevice peer && peer.driver.isSame(driver)
        ? Optional.of(peer.context)
        : Optional.empty();
  }

  @Override
  public void copyFrom(Device other, long from, long to, long bytes) {
    if (other == this || !canCopyFrom(other)) {
      Device.super.copyFrom(other, from, to, bytes);
      return;
    }
    CudaDevice peer = (CudaDevice) other;
    peer.checkRange(from, bytes);
    checkRange(to, bytes);
    runNow(
        bytes,
        () -> CudaContext.peerCopy(bytes, from, peer.name(), to),
        results ->
            driver.memcpyPeerAsync(
                to, context.handle(), from, peer.context.handle(), bytes, DEFAULT_STREAM));
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    checkRange(address, bytes);
    runNow(
        bytes,
        () -> String.format(Locale.ROOT, "cuMemsetD8 of %d bytes at 0x%x", bytes, address),
        results -> driver.memsetD8(address, value, bytes));
  }

  /** Calls a function in the default stream and waits for its completion. */
  private void runNow(long bytes, Supplier<String> what, CudaCall call) {
    if (bytes > 0) {
      context.call(
          what,
          results -> {
            int code = call.in(results);
            return code == CudaDriver.SUCCESS ? driver.streamSynchronize(DEFAULT_STREAM) : code;
          });
    }
  }

  // Host memory and streams.

  /**
   * {@inheritDoc}
   *
   * <p>The memory is pinned for all CUDA devices, which takes the driver some time for every page.
   */
  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    checkOpen();
    if (bytes <= 0) {
      return arena.allocate(bytes); // the driver rejects 0 bytes
    }
    if (!context.tryHold()) {
      throw DeviceChecks.closedDevice(this);
    }
    try {
      return PinnedMemory.allocate(context, bytes, arena);
    } catch (DeviceException e) {
      if (e.code() == CudaDriver.OUT_OF_MEMORY) {
        throw DeviceChecks.noStaging(this, bytes, Long.MAX_VALUE, e);
      }
      throw e;
    }
  }

  @Override
  public synchronized DeviceStream openStream() {
    checkOpen();
    CudaStream stream = CudaStream.open(this, context, this::contextOf, this::streamClosed);
    streamCount++;
    return stream;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if a call of the driver fails, or some of the work failed
   */
  @Override
  public void synchronize() {
    checkOpen();
    context.call(() -> "cuCtxSynchronize", results -> driver.ctxSynchronize());
  }

  private synchronized void streamClosed() {
    streamCount--;
  }

  @Override
  public synchronized void close() {
    long heldBytes = regions.values().stream().mapToLong(CudaRegion::bytes).sum();
    DeviceChecks.checkUnused(this, regions.size(), heldBytes, streamCount);
    if (!closed) {
      closed = true;
      try {
        stagedCopies.close();
      } finally {
        context.release();
      }
    }
  }
}
