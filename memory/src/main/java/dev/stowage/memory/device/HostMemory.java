package dev.stowage.memory.device;

import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.RegionGrowth;
import dev.stowage.core.bfc.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Memory of the machine, in regions from the operating system.
 *
 * <p>On Linux and macOS a region is mapped: it takes memory page by page as it is first touched,
 * zeroed, can keep addresses for its growth, and gives pages back as its end moves down. Elsewhere
 * it comes from the C library's malloc: it is no zeros, and never grows.
 *
 * <p>A region can be freed only where it was allocated: here, or at the {@linkplain
 * #newSubAllocator() sub-allocator} that gave it. So nothing but restricted methods can touch
 * memory that is gone.
 *
 * <p>Safe for use by many threads. A region costs some microseconds.
 */
public final class HostMemory implements Device {

  private final RegionSource source;
  private final TreeMap<Long, Held> held = new TreeMap<>();
  private int streamCount;
  private boolean closed;

  /**
   * A region, who may free it, and the arena of the segments that show it, if there are any.
   *
   * <p>The arena ends where the region loses bytes.
   */
  private record Held(HostRegion region, SubAllocator holder, Optional<Arena> views) {}

  HostMemory(RegionSource source) {
    this.source = source;
  }

  /**
   * {@return memory in regions that can grow to 256 GiB, or to what memory and swap the machine
   * has}
   *
   * @throws IllegalCallerException if the module has no native access
   */
  public static HostMemory open() {
    return open(HostMemoryOptions.expandable());
  }

  /**
   * {@return memory in regions as options say}
   *
   * @param options how regions are taken; without mapped pages they change nothing
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

  /** Asks first: refused while a class is initialized, it would be a NoClassDefFoundError later. */
  @SuppressWarnings("restricted") // this is the call that tells
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

  /** {@return a page's size} */
  @Override
  public long alignmentBytes() {
    return source.granularityBytes();
  }

  /** {@return the memory of the machine, or of the container that the JVM runs in, in bytes} */
  @Override
  public long totalBytes() {
    return MachineMemory.totalBytes();
  }

  /**
   * {@return what could be had now without swapping, in bytes}
   *
   * <p>Caches that the system would give up are counted in on Linux, but not in a container.
   */
  @Override
  public long availableBytes() {
    return MachineMemory.availableBytes();
  }

  /** {@return how many regions are held, with those of sub-allocators} */
  public synchronized int regionCount() {
    return held.size();
  }

  /** {@return how many bytes these regions have} */
  public synchronized long heldBytes() {
    return held.values().stream().mapToLong(each -> each.region().bytes()).sum();
  }

  /** {@return a page's size, a huge page's where they are asked for} */
  @Override
  public long granularityBytes() {
    return source.granularityBytes();
  }

  /**
   * {@return the address of a new region, a multiple of {@link #granularityBytes()}; or empty if
   * the system refuses it}
   *
   * @param bytes how many bytes; what lies between them and a multiple of the granularity is lost
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if this is closed
   * @throws DeviceException if the system's call fails for another reason than memory
   */
  @Override
  public OptionalLong allocate(long bytes) {
    return allocate(bytes, Long.MAX_VALUE, this);
  }

  /**
   * Moves the end of a region, and returns whether it did; false changes nothing.
   *
   * <p>Bytes that the region keeps keep their contents; new ones are zero. Bytes that it is to lose
   * go back to the system, whole pages of them, and {@linkplain #segment segments} over it end.
   *
   * @param address its address
   * @param bytes its size now
   * @param newBytes its size then
   * @throws IllegalArgumentException if {@code newBytes < 1}
   * @throws IllegalStateException if there is no such region here, or it would lose bytes while a
   *     native call works on one of its segments
   * @throws DeviceException if the system's call fails for another reason than memory
   */
  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    return resize(address, bytes, newBytes, this);
  }

  /**
   * Gives a region back to the system; {@linkplain #segment segments} over it end.
   *
   * @param address its address
   * @param bytes its size
   * @throws IllegalStateException if there is no such region here, or a native call works on one of
   *     its segments
   * @throws DeviceException if the system's call fails
   */
  @Override
  public void free(long address, long bytes) {
    free(address, bytes, this);
  }

  /**
   * {@return false for regions from malloc, with {@link HostMemoryOptions#fixed()}, and when too
   * few addresses are left for new regions to grow}
   */
  @Override
  public boolean lengthens() {
    return lengthens(Long.MAX_VALUE);
  }

  private synchronized boolean lengthens(long mostBytes) {
    return source.lengthens(mostBytes);
  }

  /** {@return what gives regions of this memory that it alone can take back} */
  public SubAllocator newSubAllocator() {
    return new Holder(Long.MAX_VALUE);
  }

  /**
   * {@return what gives an allocator regions of this memory, and alone can take them back}
   *
   * <p>The regions reserve no more addresses than the allocator's limit, and none for growth unless
   * it is {@link RegionGrowth#EXPANDABLE}.
   *
   * @param options the allocator's
   */
  public SubAllocator newSubAllocator(BfcOptions options) {
    return new Holder(options.growth() == RegionGrowth.EXPANDABLE ? options.limitBytes() : 0);
  }

  /** A sub-allocator of this memory, apart from all others. */
  private final class Holder implements SubAllocator {

    /** The size that regions may grow to. */
    private final long mostBytes;

    Holder(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    @Override
    public OptionalLong allocate(long bytes) {
      return HostMemory.this.allocate(bytes, mostBytes, this);
    }

    @Override
    public boolean lengthens() {
      return HostMemory.this.lengthens(mostBytes);
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

  private synchronized OptionalLong allocate(long bytes, long mostBytes, SubAllocator holder) {
    DeviceChecks.checkRegionBytes(bytes);
    checkOpen();
    Optional<HostRegion> region = source.allocate(bytes, mostBytes);
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
    held.put(address, new Held(old.region(), holder, views)); // if the system fails
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
   * {@return a part of a region that was allocated here}
   *
   * <p>It can be touched by any thread until the region is freed or loses bytes; then touching it
   * is an {@link IllegalStateException}. To end it costs what closing a shared arena costs, once
   * for all segments of a region.
   *
   * @param address where it starts
   * @param bytes its size
   * @throws IllegalArgumentException if {@code bytes < 0}, or it does not lie within one region
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

  /** {@return a part of a region, whoever allocated it} */
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

  @Override
  public synchronized DeviceStream openStream() {
    checkOpen();
    streamCount++;
    return new HostStream(this);
  }

  synchronized void streamClosed() {
    streamCount--;
  }

  @SuppressWarnings("restricted") // within a region, which outlives the arena
  private static MemorySegment view(long address, long bytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /**
   * Ends this memory, of which no region may be held and no stream be open any more; does nothing
   * if it has ended.
   *
   * @throws IllegalStateException if regions are held or streams are open; nothing changes
   */
  @Override
  public synchronized void close() {
    DeviceChecks.checkUnused(this, regionCount(), heldBytes(), streamCount);
    closed = true;
  }
}
