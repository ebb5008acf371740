package dev.stowage.testkit;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A device for tests, with memory of its own, so that a missing copy causes a wrong result.
 *
 * <p>The device counts copies and their bytes, has a chosen amount of memory, and can fail at a
 * chosen call. The bytes of new memory are {@code 0xA5}. Queued work runs only when a caller waits
 * for it, or calls {@link #runNext}. Code that relies on work without waiting for it therefore
 * always gets a wrong result.
 *
 * <p>The device is safe for use by many threads.
 */
public final class SimulatedDevice implements Device {

  private static final byte FRESH = (byte) 0xA5;

  /** An address far above all addresses of the host. */
  private static final long FIRST_ADDRESS = 1L << 56;

  /** The distance of regions, and the size of the largest one. */
  private static final long REGION_DISTANCE = 1L << 44;

  private final String name;
  private final long totalBytes;
  private final long alignmentBytes;

  /** Changed under the lock of this device, and read without it. */
  private final NavigableMap<Long, Region> regions = new ConcurrentSkipListMap<>();

  /**
   * The lock of the memory of regions: this memory ends only under the lock.
   *
   * <p>Another device that copies from this one takes it after its own lock. No thread holds the
   * locks of two devices.
   */
  private final Object memoryLock = new Object();

  /** The queued work of all streams, in its order. */
  private final Deque<SimulatedStream.Work> queue = new ArrayDeque<>();

  private long nextAddress = FIRST_ADDRESS;
  private long heldBytes;
  private long calls;
  private long failingCall = Long.MAX_VALUE;
  private Traffic fromHost = Traffic.NONE;
  private Traffic toHost = Traffic.NONE;
  private Traffic within = Traffic.NONE;
  private Traffic fromDevices = Traffic.NONE;
  private final Set<SimulatedDevice> peers = ConcurrentHashMap.newKeySet();
  private Traffic filled = Traffic.NONE;
  private int streamCount;
  private boolean closed;

  /**
   * The copies of one direction, or the fills.
   *
   * @param count the number of copies or fills
   * @param bytes the sum of their bytes
   */
  public record Traffic(long count, long bytes) {

    /** No copies or fills. */
    public static final Traffic NONE = new Traffic(0, 0);

    private Traffic plus(long moreBytes) {
      return new Traffic(count + 1, bytes + moreBytes);
    }
  }

  private record Region(long address, Arena arena, MemorySegment memory) {}

  /**
   * Creates a device without regions.
   *
   * @param name the name in messages
   * @param totalBytes the bytes of its memory
   * @throws IllegalArgumentException if {@code totalBytes < 0}
   */
  public SimulatedDevice(String name, long totalBytes) {
    this(name, totalBytes, 256);
  }

  /**
   * Creates a device without regions; its kernels require an alignment.
   *
   * @param name the name in messages
   * @param totalBytes the bytes of its memory
   * @param alignmentBytes the alignment, a power of two
   * @throws IllegalArgumentException if {@code totalBytes < 0}, or the alignment is not a power of
   *     two from 256 to 2⁴⁴
   */
  public SimulatedDevice(String name, long totalBytes, long alignmentBytes) {
    if (totalBytes < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "device '%s' has negative memory: totalBytes=%d", name, totalBytes));
    }
    if (Long.bitCount(alignmentBytes) != 1
        || alignmentBytes < 256
        || alignmentBytes > REGION_DISTANCE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "device '%s' needs an alignment that is a power of two from 256 to 2^44: alignmentBytes=%d",
              name,
              alignmentBytes));
    }
    this.name = name;
    this.totalBytes = totalBytes;
    this.alignmentBytes = alignmentBytes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public synchronized long availableBytes() {
    return totalBytes - heldBytes;
  }

  @Override
  public long alignmentBytes() {
    return alignmentBytes;
  }

  // Counts.

  /** {@return the completed copies from the host} */
  public synchronized Traffic fromHost() {
    return fromHost;
  }

  /** {@return the completed copies to the host} */
  public synchronized Traffic toHost() {
    return toHost;
  }

  /** {@return the completed copies within the device} */
  public synchronized Traffic within() {
    return within;
  }

  /** {@return the completed copies from connected devices} */
  public synchronized Traffic fromDevices() {
    return fromDevices;
  }

  /** {@return the completed fills} */
  public synchronized Traffic filled() {
    return filled;
  }

  /** {@return the number of allocations, frees, resizes, copies and fills} */
  public synchronized long calls() {
    return calls;
  }

  /**
   * Makes one call fail: an allocation returns empty, a resize returns false, any other call
   * throws.
   *
   * @param call the number of the call; 1 is the next one
   */
  public synchronized void failAt(long call) {
    failingCall = calls + call;
  }

  private boolean isFailing() {
    return ++calls == failingCall;
  }

  private void failIfChosen(String call) {
    if (isFailing()) {
      throw new DeviceException(
          String.format(Locale.ROOT, "%s of device '%s'", call, name), 1, "SIMULATED_FAILURE");
    }
  }

  // Regions.

  @Override
  public synchronized OptionalLong allocate(long bytes) {
    DeviceChecks.checkRegionBytes(bytes);
    checkOpen();
    if (isFailing() || bytes > availableBytes() || bytes > REGION_DISTANCE) {
      return OptionalLong.empty();
    }
    long address = nextAddress;
    Optional<Region> region = region(address, bytes);
    if (region.isEmpty()) {
      return OptionalLong.empty();
    }
    nextAddress += REGION_DISTANCE;
    regions.put(address, region.get());
    heldBytes += bytes;
    return OptionalLong.of(address);
  }

  @Override
  public synchronized OptionalLong reserve(long bytes, long maxBytes) {
    DeviceChecks.checkReservation(bytes, maxBytes);
    return maxBytes > REGION_DISTANCE ? OptionalLong.empty() : allocate(bytes);
  }

  /** {@return a region, or empty if the machine has too little memory} */
  private static Optional<Region> region(long address, long bytes) {
    Arena arena = Arena.ofShared();
    try {
      return Optional.of(new Region(address, arena, arena.allocate(bytes, 256).fill(FRESH)));
    } catch (OutOfMemoryError refused) {
      arena.close();
      return Optional.empty();
    }
  }

  @Override
  public synchronized void free(long address, long bytes) {
    failIfChosen("free");
    Region region = held(address, bytes);
    synchronized (memoryLock) {
      regions.remove(address);
      region.arena().close();
    }
    heldBytes -= bytes;
  }

  @Override
  public synchronized boolean resize(long address, long bytes, long newBytes) {
    DeviceChecks.checkRegionBytes(newBytes);
    Region region = held(address, bytes);
    if (isFailing() || newBytes - bytes > availableBytes() || newBytes > REGION_DISTANCE) {
      return false;
    }
    Optional<Region> larger = region(address, newBytes);
    if (larger.isEmpty()) {
      return false;
    }
    Region resized = larger.get();
    MemorySegment.copy(region.memory(), 0, resized.memory(), 0, Math.min(bytes, newBytes));
    synchronized (memoryLock) {
      regions.put(address, resized);
      region.arena().close();
    }
    heldBytes += newBytes - bytes;
    return true;
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedDevice(this);
    }
  }

  private Region held(long address, long bytes) {
    Region region = regions.get(address);
    if (region == null || region.memory().byteSize() != bytes) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "device '%s' has no region of %d bytes at 0x%x", name, bytes, address));
    }
    return region;
  }

  @Override
  public boolean hasRange(long address, long bytes) {
    Map.Entry<Long, Region> below = regions.floorEntry(address);
    if (bytes < 0 || below == null) {
      return false;
    }
    long regionBytes = below.getValue().memory().byteSize();
    long offset = address - below.getKey();
    return offset <= regionBytes && bytes <= regionBytes - offset;
  }

  private MemorySegment range(long address, long bytes) {
    if (!hasRange(address, bytes)) {
      throw DeviceChecks.noSuchRange(this, address, bytes);
    }
    Map.Entry<Long, Region> below = regions.floorEntry(address);
    return below.getValue().memory().asSlice(address - below.getKey(), bytes);
  }

  // Copies and fills.

  @Override
  public synchronized void copyFromHost(MemorySegment source, long address) {
    MemorySegment target = range(address, source.byteSize());
    failIfChosen("copy from the host");
    target.copyFrom(source);
    fromHost = fromHost.plus(source.byteSize());
  }

  @Override
  public synchronized void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkWritable(target);
    MemorySegment source = range(address, target.byteSize());
    failIfChosen("copy to the host");
    target.copyFrom(source);
    toHost = toHost.plus(target.byteSize());
  }

  @Override
  public synchronized void copy(long source, long target, long bytes) {
    DeviceChecks.checkDisjoint(source, target, bytes);
    MemorySegment from = range(source, bytes);
    MemorySegment to = range(target, bytes);
    failIfChosen("copy");
    to.copyFrom(from);
    within = within.plus(bytes);
  }

  @Override
  public synchronized void fill(long address, long bytes, byte value) {
    MemorySegment range = range(address, bytes);
    failIfChosen("fill");
    range.fill(value);
    filled = filled.plus(bytes);
  }

  void checkRange(long address, long bytes) {
    range(address, bytes);
  }

  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    checkOpen();
    return DeviceChecks.allocateStaging(this, bytes, 256, arena);
  }

  /**
   * Lets this device and another one copy from each other directly.
   *
   * @param other the other device
   */
  public void connect(SimulatedDevice other) {
    peers.add(other);
    other.peers.add(this);
  }

  @Override
  public boolean canCopyFrom(Device source) {
    return source == this || (source instanceof SimulatedDevice peer && peers.contains(peer));
  }

  @Override
  public void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    if (source == this || !canCopyFrom(source)) {
      Device.super.copyFrom(source, sourceAddress, address, bytes);
    } else {
      copyFromPeer((SimulatedDevice) source, sourceAddress, address, bytes);
    }
  }

  private synchronized void copyFromPeer(
      SimulatedDevice source, long sourceAddress, long address, long bytes) {
    MemorySegment target = range(address, bytes);
    synchronized (source.memoryLock) {
      MemorySegment copied = source.range(sourceAddress, bytes);
      failIfChosen("copy from a device");
      target.copyFrom(copied);
    }
    fromDevices = fromDevices.plus(bytes);
  }

  // Streams.

  @Override
  public synchronized DeviceStream openStream() {
    checkOpen();
    streamCount++;
    return new SimulatedStream(this);
  }

  synchronized void streamClosed() {
    streamCount--;
  }

  synchronized void enqueue(SimulatedStream.Work work) {
    queue.addLast(work);
  }

  /**
   * Runs the oldest queued work of all streams.
   *
   * @return true if there was any
   */
  public synchronized boolean runNext() {
    SimulatedStream.Work work = queue.peekFirst();
    if (work != null) {
      work.stream().runUntil(work);
    }
    return work != null;
  }

  /** Runs the queued work of all streams. */
  @Override
  public synchronized void synchronize() {
    checkOpen();
    boolean isRunning = true;
    while (isRunning) {
      isRunning = runNext();
    }
  }

  /** Runs queued work and removes it from the queue. */
  synchronized void run(SimulatedStream.Work work) {
    queue.remove(work);
    work.action().run();
  }

  @Override
  public synchronized void close() {
    DeviceChecks.checkUnused(this, regions.size(), heldBytes, streamCount);
    closed = true;
  }
}
