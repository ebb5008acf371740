package dev.stowage.memory.device;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.RegionGrowth;
import dev.stowage.allocator.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The memory of the machine, in regions from the operating system.
 *
 * <p>On Linux and macOS, a region is mapped. The system provides a zeroed page when the page is
 * first accessed. A region can reserve addresses for its growth, and returns pages when its end
 * moves down. On other systems, a region comes from malloc: it is not zeroed and never grows.
 *
 * <p>A region can only be freed where it was allocated: here, or at its {@linkplain
 * #newSubAllocator() sub-allocator}. Therefore only restricted methods can access memory that is
 * freed.
 *
 * <p>Host memory is safe for use by many threads. Allocating a region takes some microseconds.
 */
public final class HostMemory implements Device {

  /** Regions reserve addresses for this many times the limit of their allocator. */
  private static final int LIMITS_OF_ROOM = 8;

  private static final long MIN_ROOM_BYTES = 1 << 30;

  private final RegionSource source;
  private final TreeMap<Long, Held> held = new TreeMap<>();
  private int streamCount;
  private boolean closed;

  /**
   * A region, the sub-allocator that may free it, and the arena of its segments, if there are any.
   *
   * <p>The arena is closed when the region loses bytes.
   */
  private record Held(HostRegion region, SubAllocator holder, Optional<Arena> views) {}

  HostMemory(RegionSource source) {
    this.source = source;
  }

  /**
   * {@return memory in regions that can grow to 256 GiB, or to the memory and swap of the machine}
   *
   * @throws IllegalCallerException if the module has no native access
   */
  public static HostMemory open() {
    return open(HostMemoryOptions.expandable());
  }

  /**
   * {@return memory in regions with options}
   *
   * @param options the options of mapped regions; they have no effect on regions from malloc
   * @throws IllegalCallerException if the module has no native access
   */
  public static HostMemory open(HostMemoryOptions options) {
    checkNativeAccess();
    String system = System.getProperty("os.name", "");
    if (system.equals("Linux")) {
      return new HostMemory(new MappedRegions(MappedRegions.Posix.LINUX, options));
    }
    if (system.startsWith("Mac")) {
      return new HostMemory(new MappedRegions(MappedRegions.Posix.MACOS, options));
    }
    return new HostMemory(new MallocedRegions());
  }

  /** Checks first: a failure during class initialization would be a NoClassDefFoundError later. */
  @SuppressWarnings("restricted") // the call detects the right
  private static void checkNativeAccess() {
    try {
      MemorySegment _ = MemorySegment.NULL.reinterpret(0);
    } catch (IllegalCallerException e) {
      Module module = HostMemory.class.getModule();
      throw new IllegalCallerException(
          "host memory needs native access: run with --enable-native-access="
              + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
          e);
    }
  }

  @Override
  public String name() {
    return "host";
  }

  /** {@return true} */
  @Override
  public boolean isHostAddressable() {
    return true;
  }

  /** {@return the size of a page} */
  @Override
  public long alignmentBytes() {
    return source.granularityBytes();
  }

  /** {@return the bytes of memory of the machine, or of the container of the JVM} */
  @Override
  public long totalBytes() {
    return MachineMemory.totalBytes();
  }

  /**
   * {@return the bytes that are available without swapping}
   *
   * <p>On Linux, they include caches that the system can drop, except in a container.
   */
  @Override
  public long availableBytes() {
    return MachineMemory.availableBytes();
  }

  /** {@return the number of regions, including regions of sub-allocators} */
  public synchronized int regionCount() {
    return held.size();
  }

  /** {@return the bytes of these regions} */
  public synchronized long heldBytes() {
    return held.values().stream().mapToLong(each -> each.region().bytes()).sum();
  }

  /** {@return the size of a page, or of a huge page if the options have them} */
  @Override
  public long granularityBytes() {
    return source.granularityBytes();
  }

  /**
   * {@return the address of a new region, a multiple of {@link #granularityBytes()}; empty if the
   * system has too little memory}
   *
   * @param bytes the size; the system rounds it up to the granularity
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if this memory is closed
   * @throws DeviceException if a call of the system fails for another reason than memory
   */
  @Override
  public OptionalLong allocate(long bytes) {
    return allocate(bytes, Long.MAX_VALUE, this);
  }

  /**
   * {@return the address of a new region, which is zeroed and can grow to a size; empty if there is
   * too little memory, there are too few addresses, or regions are from malloc}
   *
   * <p>The size is not limited by {@link HostMemoryOptions#reservedBytes()} or the memory of the
   * machine. All regions together reserve at most 2<sup>44</sup> bytes of addresses.
   *
   * @param bytes the size; the system rounds it up to the granularity
   * @param maxBytes the size that the region can grow to
   * @throws IllegalArgumentException if {@code bytes < 1} or {@code maxBytes < bytes}
   * @throws IllegalStateException if this memory is closed
   * @throws DeviceException if a call of the system fails for another reason than memory
   */
  @Override
  public synchronized OptionalLong reserve(long bytes, long maxBytes) {
    DeviceChecks.checkReservation(bytes, maxBytes);
    checkOpen();
    return hold(source.reserve(bytes, maxBytes), this);
  }

  /**
   * Moves the end of a region and returns true, or returns false and changes nothing.
   *
   * <p>The remaining bytes keep their contents; new bytes are zero. If the region loses bytes, the
   * system gets whole pages back, and the {@linkplain #segment segments} of the region end.
   *
   * @param address the address of the region
   * @param bytes the size of the region
   * @param newBytes the new size
   * @throws IllegalArgumentException if {@code newBytes < 1}
   * @throws IllegalStateException if no such region was allocated here, or it would lose bytes
   *     while a native call works on one of its segments
   * @throws DeviceException if a call of the system fails for another reason than memory
   */
  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    return resize(address, bytes, newBytes, this);
  }

  /**
   * Returns a region to the system; its {@linkplain #segment segments} end.
   *
   * @param address the address of the region
   * @param bytes the size of the region
   * @throws IllegalStateException if no such region was allocated here, or a native call works on
   *     one of its segments
   * @throws DeviceException if a call of the system fails
   */
  @Override
  public void free(long address, long bytes) {
    free(address, bytes, this);
  }

  /**
   * {@return true if new regions can grow: false for regions from malloc, for {@link
   * HostMemoryOptions#fixed()}, and if too few addresses remain}
   */
  @Override
  public boolean canLengthen() {
    return canLengthen(Long.MAX_VALUE);
  }

  /**
   * {@return true if new memory is zero: false for regions from malloc, and after the system kept
   * returned pages}
   */
  @Override
  public synchronized boolean isZeroed() {
    return source.isZeroed();
  }

  private synchronized boolean canLengthen(long maxBytes) {
    return source.canLengthen(maxBytes);
  }

  /** {@return a sub-allocator of this memory, the only one that can free its regions} */
  public SubAllocator newSubAllocator() {
    return new Holder(Long.MAX_VALUE);
  }

  /**
   * {@return a sub-allocator for an allocator, the only one that can free its regions}
   *
   * <p>The regions reserve addresses only if the allocator is {@link RegionGrowth#EXPANDABLE}: at
   * most eight times its limit or, if that is more, 1 GiB, so that the limit can be raised.
   *
   * @param options the options of the allocator
   */
  @Override
  public SubAllocator newSubAllocator(BfcOptions options) {
    return new Holder(options.growth() == RegionGrowth.EXPANDABLE ? options.limitBytes() : 0);
  }

  /** A sub-allocator of this memory. */
  private final class Holder implements SubAllocator {

    /** The size that regions must be able to grow to. */
    private final long maxBytes;

    /** The most bytes of addresses that all regions together reserve. */
    private final long roomBytes;

    Holder(long maxBytes) {
      this.maxBytes = maxBytes;
      roomBytes =
          maxBytes == 0 || maxBytes > Long.MAX_VALUE / LIMITS_OF_ROOM
              ? maxBytes
              : Math.max(MIN_ROOM_BYTES, LIMITS_OF_ROOM * maxBytes);
    }

    @Override
    public OptionalLong allocate(long bytes) {
      return HostMemory.this.allocate(bytes, roomBytes, this);
    }

    @Override
    public boolean canLengthen() {
      return HostMemory.this.canLengthen(maxBytes);
    }

    @Override
    public boolean isZeroed() {
      return HostMemory.this.isZeroed();
    }

    @Override
    public void free(long address, long bytes) {
      HostMemory.this.free(address, bytes, this);
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return HostMemory.this.resize(address, bytes, newBytes, this);
    }

    @Override
    public long granularityBytes() {
      return HostMemory.this.granularityBytes();
    }

    @Override
    public long alignmentBytes() {
      return HostMemory.this.alignmentBytes();
    }
  }

  private synchronized OptionalLong allocate(long bytes, long maxBytes, SubAllocator holder) {
    DeviceChecks.checkRegionBytes(bytes);
    checkOpen();
    return hold(source.allocate(bytes, maxBytes), holder);
  }

  private OptionalLong hold(Optional<HostRegion> region, SubAllocator holder) {
    if (region.isEmpty()) {
      return OptionalLong.empty();
    }
    held.put(region.get().address(), new Held(region.get(), holder, Optional.empty()));
    return OptionalLong.of(region.get().address());
  }

  private synchronized boolean resize(
      long address, long bytes, long newBytes, SubAllocator holder) {
    DeviceChecks.checkRegionBytes(newBytes);
    Held old = find(address, bytes, holder);
    Optional<Arena> views = newBytes < bytes ? endViews(old) : old.views();
    held.put(address, new Held(old.region(), holder, views)); // in case the system fails
    Optional<HostRegion> resized = source.resize(old.region(), newBytes);
    held.put(address, new Held(resized.orElse(old.region()), holder, views));
    return resized.isPresent();
  }

  private synchronized void free(long address, long bytes, SubAllocator holder) {
    Held old = find(address, bytes, holder);
    held.put(address, new Held(old.region(), holder, endViews(old)));
    source.free(old.region());
    held.remove(address);
  }

  private static Optional<Arena> endViews(Held region) {
    region.views().filter(arena -> arena.scope().isAlive()).ifPresent(Arena::close);
    return Optional.empty();
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedDevice(this);
    }
  }

  private Held find(long address, long bytes, SubAllocator holder) {
    Held region = held.get(address);
    if (region == null || !region.holder().equals(holder) || region.region().bytes() != bytes) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "no region of %d bytes at 0x%x was allocated here: %s",
              bytes,
              address,
              describe(address, holder)));
    }
    return region;
  }

  private String describe(long address, SubAllocator holder) {
    Map.Entry<Long, Held> below = held.floorEntry(address);
    if (below == null || !below.getValue().region().contains(address, 1)) {
      return String.format(Locale.ROOT, "it lies in none of the %d regions held", held.size());
    }
    HostRegion region = below.getValue().region();
    return String.format(
        Locale.ROOT,
        "the region there has %d bytes at 0x%x%s",
        region.bytes(),
        region.address(),
        below.getValue().holder().equals(holder) ? "" : ", and belongs to another sub-allocator");
  }

  /**
   * {@return a range of a region that was allocated here}
   *
   * <p>Any thread can access the segment until the region is freed or loses bytes; a later access
   * throws an {@link IllegalStateException}. Ending all segments of a region takes as long as
   * closing a shared arena.
   *
   * @param address the start of the range
   * @param bytes the size of the range
   * @throws IllegalArgumentException if {@code bytes < 0}, or the range does not lie within one
   *     region
   */
  public synchronized MemorySegment segment(long address, long bytes) {
    Map.Entry<Long, Held> below = held.floorEntry(address);
    if (bytes < 0
        || below == null
        || !below.getValue().holder().equals(this)
        || !below.getValue().region().contains(address, bytes)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "no region that was allocated here has %d bytes at 0x%x",
              bytes,
              address));
    }
    return segment(below.getValue(), address, bytes);
  }

  private MemorySegment segment(Held region, long address, long bytes) {
    Arena arena = region.views().orElseGet(Arena::ofShared);
    held.put(
        region.region().address(), new Held(region.region(), region.holder(), Optional.of(arena)));
    return view(address, bytes, arena);
  }

  @Override
  public synchronized boolean hasRange(long address, long bytes) {
    Map.Entry<Long, Held> below = held.floorEntry(address);
    return bytes >= 0 && below != null && below.getValue().region().contains(address, bytes);
  }

  /** {@return a range of a region of any sub-allocator} */
  private synchronized MemorySegment range(long address, long bytes) {
    if (!hasRange(address, bytes)) {
      throw DeviceChecks.noSuchRange(this, address, bytes);
    }
    return segment(held.floorEntry(address).getValue(), address, bytes);
  }

  @Override
  public void copyFromHost(MemorySegment hostSource, long address) {
    range(address, hostSource.byteSize()).copyFrom(hostSource);
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    DeviceChecks.checkWritable(target);
    target.copyFrom(range(address, target.byteSize()));
  }

  @Override
  public void copy(long copied, long target, long bytes) {
    DeviceChecks.checkDisjoint(copied, target, bytes);
    MemorySegment from = range(copied, bytes);
    range(target, bytes).copyFrom(from);
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    range(address, bytes).fill(value);
  }

  @Override
  public MemorySegment allocateStaging(long bytes, Arena arena) {
    checkOpen();
    return DeviceChecks.allocateStaging(this, bytes, 64, arena);
  }

  /** Does nothing: streams execute work at once. */
  @Override
  public void synchronize() {}

  @Override
  public synchronized DeviceStream openStream() {
    checkOpen();
    streamCount++;
    return new ImmediateStream(this, this::streamClosed);
  }

  synchronized void streamClosed() {
    streamCount--;
  }

  @SuppressWarnings("restricted") // within a region, which outlives the arena
  private static MemorySegment view(long address, long bytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /**
   * Closes this memory; has no effect if it is closed.
   *
   * @throws IllegalStateException if regions exist or streams are open; nothing changes
   */
  @Override
  public synchronized void close() {
    DeviceChecks.checkUnused(this, regionCount(), heldBytes(), streamCount);
    closed = true;
  }
}
