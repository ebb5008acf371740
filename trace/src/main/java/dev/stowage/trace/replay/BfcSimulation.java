package dev.stowage.trace.replay;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.RegionGrowth;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.RestoredChunk;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Best fit with coalescing: a {@link BfcAllocator} on a device without memory. */
public final class BfcSimulation implements SimulatedAllocator {

  /** More bytes than a device has addresses. */
  private static final long MOST_BYTES = 1L << 58;

  private static final String UNKNOWN_ENDS =
      "The pool has collective memory, and the log does not show at which end it lies.";

  private final SimulatedRegions device;
  private final BfcOptions options;
  private BfcAllocator allocator;
  private final boolean isExpandable;
  private final boolean hasDeviceAddresses;

  /** True if the recording has the sizes of regions and the limit. */
  private final boolean followsRecording;

  /** True if a request that the recorded device refused is refused again. */
  private boolean repeatsRefusals;

  /** The reasons why the memory at the start is not exact. */
  private List<String> doubts = List.of();

  private long limitBytes;

  /** The bytes of the recorded region that is expected next; 0 for none. */
  private long expectedBytes;

  /** The regions of the last answer of {@link #changedRegions}, by their indices. */
  private Map<Integer, Region> passedRegions = new LinkedHashMap<>();

  private long passedCalls;

  /** The one region of a recorded pool, and the request that needed it. */
  private Optional<FirstRegion> pool = Optional.empty();

  private XlaSpaces spaces = XlaSpaces.ONE;

  /** The alignment of the current request, if the recording has it. */
  private long alignment;

  /** The chunks in use, once they were asked for; replays that do not ask keep none. */
  private @Nullable RegionUse use;

  /** The regions after a number of calls of the device; each call may change them. */
  private List<Region> regions = List.of();

  private long regionCalls;

  /** The statistics since the last change, if they were read. */
  private @Nullable AllocatorStatistics current;

  /**
   * Creates an allocator.
   *
   * @param options the options
   */
  public BfcSimulation(BfcOptions options) {
    this(options, true);
  }

  /**
   * Creates an allocator on a device that can lengthen regions, or not.
   *
   * @param options the options
   * @param regionsLengthen true if the device can lengthen regions
   */
  public BfcSimulation(BfcOptions options, boolean regionsLengthen) {
    this(options, regionsLengthen, false, false);
  }

  private BfcSimulation(
      BfcOptions options,
      boolean regionsLengthen,
      boolean hasDeviceAddresses,
      boolean followsRecording) {
    device = new SimulatedRegions(regionsLengthen);
    this.options = options;
    allocator = BfcAllocator.unrecorded("replay", device, options);
    isExpandable = regionsLengthen && options.growth() == RegionGrowth.EXPANDABLE;
    this.hasDeviceAddresses = hasDeviceAddresses;
    this.followsRecording = followsRecording;
    repeatsRefusals = followsRecording;
    limitBytes = options.limitBytes();
  }

  /**
   * {@return an allocator with a device that gives a region the recorded address, if its size is
   * the recorded one}
   */
  static BfcSimulation ofRecordedDevice(BfcOptions options) {
    return new BfcSimulation(options, false, true, false);
  }

  /** {@return an allocator with the regions and the limit of a recording} */
  static BfcSimulation ofRecording(BfcOptions options) {
    return new BfcSimulation(options, false, true, true);
  }

  /** {@return an allocator with the one region of a recording; the requests show its spaces} */
  static BfcSimulation ofPool(BfcOptions options, FirstRegion region) {
    BfcSimulation simulation = ofRecording(options);
    simulation.pool = Optional.of(region);
    simulation.spaces = region.spaces();
    if (simulation.spaces.areTwo()) {
      simulation.allocator = simulation.withTwoEnds();
    }
    return simulation;
  }

  private BfcAllocator withTwoEnds() {
    return BfcAllocator.unrecorded("replay", device, options.withTwoEnds());
  }

  @Override
  public void noteRequest(long bytes, OptionalLong address, long requestAlignment) {
    alignment = requestAlignment;
    if (spaces == XlaSpaces.ONE
        && pool.isPresent()
        && address.isPresent()
        && XlaSpaces.isCollective(requestAlignment)) {
      spaces =
          address.getAsLong() == pool.get().highest(bytes, requestAlignment)
              ? XlaSpaces.COLLECTIVE_HIGH
              : XlaSpaces.UNKNOWN;
      if (spaces.areTwo()) {
        divide(allocator.regions().getFirst().bytes());
      }
    }
  }

  /** Makes the allocator anew, with the chunks so far at the low end. Costs O(c) for c chunks. */
  private void divide(long bytes) {
    List<RestoredChunk> chunks =
        allocator.allocations().stream()
            .map(chunk -> new RestoredChunk(chunk.address(), chunk.bytes(), chunk.requestedBytes()))
            .toList();
    device.restart(bytes);
    allocator = withTwoEnds();
    AllocatorInternals.of(allocator).restore(bytes, chunks);
    current = null;
    use = null;
  }

  /** {@return the space of the current request} */
  private AllocatorInternals.XlaSpace space() {
    boolean isCollective = XlaSpaces.isCollective(alignment);
    return new AllocatorInternals.XlaSpace(spaces.isHighEnd(isCollective), isCollective);
  }

  @Override
  public String rules() {
    return pool.isPresent() ? spaces.rules() : "";
  }

  /**
   * {@return an allocator with the regions of a recording, and their chunks in use}
   *
   * @param options the options
   * @param regions the regions, by ascending address
   * @param doubts the reasons why they are not exact
   */
  static BfcSimulation of(
      BfcOptions options, List<RecordedMemory.Region> regions, List<String> doubts) {
    BfcSimulation simulation = ofRecordedDevice(options);
    simulation.repeatsRefusals = true;
    simulation.doubts = doubts;
    AllocatorInternals internals = AllocatorInternals.of(simulation.allocator);
    for (RecordedMemory.Region region : regions) {
      simulation.device.propose(region.address(), region.bytes());
      internals.restore(
          region.bytes(),
          region.chunks().stream()
              .map(chunk -> new RestoredChunk(chunk.address(), chunk.bytes()))
              .toList());
    }
    return simulation;
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    current = null;
    OptionalLong address = expectedBytes > 0 ? allocateWithRegion(bytes) : allocateAny(bytes);
    if (address.isEmpty()) {
      return REFUSED;
    }
    if (use != null) {
      add(allocator.allocation(address.getAsLong()).orElseThrow(), use);
    }
    return address.getAsLong();
  }

  private OptionalLong allocateAny(long bytes) {
    long aligned = Math.max(1, alignment);
    return spaces.areTwo()
        ? AllocatorInternals.of(allocator).tryAllocate(bytes, aligned, space())
        : allocator.tryAllocate(bytes, aligned);
  }

  /**
   * Allocates from chunks, or from a region of the recorded size. A region is smaller than the rule
   * tells if the limit or the device permits no more.
   */
  private OptionalLong allocateWithRegion(long bytes) {
    long before = allocator.statistics().reservedBytes();
    allocator.setLimit(before + expectedBytes);
    OptionalLong address = allocateAny(bytes);
    allocator.setLimit(limitBytes);
    if (allocator.statistics().reservedBytes() > before || address.isEmpty()) {
      expectedBytes = 0;
    }
    return address.isPresent() ? address : allocateAny(bytes);
  }

  @Override
  public void noteRegion(long address, long bytes) {
    if (spaces.areTwo() && !allocator.regions().isEmpty()) {
      // The high end moves up, within addresses that the device has reserved.
      if (bytes <= MOST_BYTES - allocator.statistics().reservedBytes()) {
        AllocatorInternals.of(allocator).lengthen(bytes);
        limitBytes = allocator.regions().getFirst().bytes();
        current = null;
      }
      return;
    }
    if (hasDeviceAddresses) {
      device.propose(address, bytes);
    }
    if (followsRecording) {
      expectedBytes = bytes;
    }
  }

  @Override
  public void noteDeviceRefusal(boolean refuses) {
    device.setRefusing(refuses && repeatsRefusals);
  }

  @Override
  public List<String> doubts() {
    return spaces == XlaSpaces.UNKNOWN ? List.of(UNKNOWN_ENDS) : doubts;
  }

  /** A region with two spaces has all bytes that the log permits. */
  @Override
  public void noteLimit(long bytes) {
    if (followsRecording && !spaces.areTwo()) {
      limitBytes = bytes;
      allocator.setLimit(bytes);
      current = null;
    }
  }

  @Override
  public void assumeLimit(long bytes) {
    if (limitBytes == Long.MAX_VALUE) {
      limitBytes = bytes;
      current = null;
      if (device.calls() == 0) {
        allocator = BfcAllocator.unrecorded("replay", device, options.withLimit(bytes));
      } else {
        allocator.setLimit(bytes);
      }
    }
  }

  @Override
  public boolean mayRefuse(long bytes) {
    return limitBytes < Long.MAX_VALUE;
  }

  @Override
  public boolean hasDeviceAddresses() {
    return hasDeviceAddresses;
  }

  /** {@return true if there are several regions, at the addresses of another run} */
  @Override
  public boolean dependsOnAddresses() {
    return hasDeviceAddresses && allocator.regions().size() > 1;
  }

  @Override
  public void free(long address, long stream) {
    current = null;
    allocator.free(address);
    if (use != null) {
      use.remove(address);
    }
  }

  /** Does nothing: the allocator has no such call. */
  @Override
  public void releaseCached() {}

  private AllocatorStatistics statistics() {
    AllocatorStatistics now = current;
    if (now == null) {
      now = allocator.statistics();
      current = now;
    }
    return now;
  }

  @Override
  public long requestedBytesInUse() {
    return statistics().requestedBytesInUse();
  }

  @Override
  public long bytesInUse() {
    return statistics().bytesInUse();
  }

  @Override
  public long reservedBytes() {
    return statistics().reservedBytes();
  }

  @Override
  public long peakReservedBytes() {
    return statistics().peakReservedBytes();
  }

  @Override
  public long largestFreeBytes() {
    return statistics().largestFreeChunkBytes();
  }

  @Override
  public long deviceCalls() {
    return device.calls();
  }

  @Override
  public List<Region> regions() {
    return allocator.regions().stream()
        .map(region ->
            new Region(device.regionIndex(region.address()), region.address(), region.bytes()))
        .toList();
  }

  /** Compares all regions, which are few: each one is larger than those before it together. */
  @Override
  public List<Region> changedRegions() {
    if (passedCalls == device.calls()) {
      return List.of();
    }
    passedCalls = device.calls();
    Map<Integer, Region> gone = passedRegions;
    passedRegions = new LinkedHashMap<>();
    List<Region> changed = new ArrayList<>();
    for (Region region : regions()) {
      passedRegions.put(region.index(), region);
      if (!region.equals(gone.remove(region.index()))) {
        changed.add(region);
      }
    }
    gone.values().forEach(region -> changed.add(new Region(region.index(), region.address(), 0)));
    return changed;
  }

  @Override
  public List<SnapshotSegment> segments(boolean withBlocks) {
    return withBlocks
        ? RegionSegments.of(allocator.chunks(), isExpandable, _ -> StackTable.NONE)
        : allocator.regions().stream()
            .map(region ->
                RegionSegments.segment(region.address(), region.bytes(), isExpandable, List.of()))
            .toList();
  }

  @Override
  public List<SnapshotSegment> segmentsOf(Region region) {
    return region.bytes() == 0
        ? List.of()
        : List.of(
            RegionSegments.segment(region.address(), region.bytes(), isExpandable, List.of()));
  }

  private RegionUse use() {
    RegionUse known = use;
    if (known == null) {
      known = new RegionUse();
      for (Allocation allocation : allocator.allocations()) {
        add(allocation, known);
      }
      use = known;
    }
    return known;
  }

  private void add(Allocation allocation, RegionUse to) {
    to.add(
        regionOf(allocation.address()),
        allocation.address(),
        InUseBytes.ofRegion(allocation.requestedBytes(), allocation.bytes()));
  }

  @Override
  public InUseBytes usedBytes() {
    return use().sum();
  }

  @Override
  public InUseBytes usedBytes(long address) {
    return use().at(address);
  }

  /** Visits all regions, which are few: each one is larger than those before it together. */
  @Override
  public FreeBytes freeBytes(long stream) {
    if (regionCalls != device.calls()) {
      regions = regions();
      regionCalls = device.calls();
    }
    return use().freeBytes(regions);
  }

  @Override
  public Region regionOf(long address) {
    int index = device.regionIndex(address);
    return new Region(index, device.start(index), 0);
  }

  @Override
  public List<Range> ranges() {
    return use().ranges(regions());
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    try {
      long aligned = Math.max(1, alignment);
      allocator.free(
          spaces.areTwo()
              ? AllocatorInternals.of(allocator).allocate(bytes, aligned, space())
              : allocator.allocate(bytes, aligned));
    } catch (BfcOutOfMemoryException e) {
      return new Refusal(
          e.verdict(),
          Refusals.numbers(this, bytes, e.roundedBytes(), limitBytes),
          String.valueOf(e.getMessage()));
    }
    throw new IllegalStateException(
        String.format(Locale.ROOT, "the request was not refused: bytes=%d", bytes));
  }
}
