package dev.stowage.trace.replay;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.RegionGrowth;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Best fit with coalescing: a {@link BfcAllocator} on a device without memory. */
public final class BfcSimulation implements SimulatedAllocator {

  private final SimulatedRegions device;
  private final BfcAllocator allocator;
  private final boolean isExpandable;
  private final boolean hasDeviceAddresses;

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
    this(options, regionsLengthen, false);
  }

  private BfcSimulation(BfcOptions options, boolean regionsLengthen, boolean hasDeviceAddresses) {
    device = new SimulatedRegions(regionsLengthen);
    allocator = BfcAllocator.unrecorded("replay", device, options);
    isExpandable = regionsLengthen && options.growth() == RegionGrowth.EXPANDABLE;
    this.hasDeviceAddresses = hasDeviceAddresses;
  }

  /** {@return an allocator whose regions may have the addresses of a recording} */
  static BfcSimulation ofRecordedDevice(BfcOptions options) {
    return new BfcSimulation(options, false, true);
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    current = null;
    OptionalLong address = allocator.tryAllocate(bytes, 1);
    return address.isPresent() ? address.getAsLong() : REFUSED;
  }

  @Override
  public void noteRegion(long address, long bytes) {
    if (hasDeviceAddresses) {
      device.propose(address, bytes);
    }
  }

  @Override
  public boolean hasDeviceAddresses() {
    return hasDeviceAddresses;
  }

  @Override
  public void free(long address, long stream) {
    current = null;
    allocator.free(address);
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
  public Region regionOf(long address) {
    int index = device.regionIndex(address);
    return new Region(index, device.start(index), 0);
  }

  @Override
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>();
    Iterator<Allocation> allocations = allocator.allocations().iterator();
    Allocation next = allocations.hasNext() ? allocations.next() : null;
    for (BfcAllocator.Region region : allocator.regions()) {
      int index = device.regionIndex(region.address());
      long end = region.address() + region.bytes();
      long free = region.address();
      while (next != null && next.address() < end) {
        addFree(ranges, index, free, next.address());
        ranges.add(new Range(index, next.address(), next.bytes(), true, ""));
        free = next.address() + next.bytes();
        next = allocations.hasNext() ? allocations.next() : null;
      }
      addFree(ranges, index, free, end);
    }
    return ranges;
  }

  private static void addFree(List<Range> ranges, int region, long start, long end) {
    if (start < end) {
      ranges.add(new Range(region, start, end - start, false, ""));
    }
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    try {
      allocator.free(allocator.allocate(bytes));
    } catch (BfcOutOfMemoryException e) {
      return new Refusal(e.verdict(), String.valueOf(e.getMessage()));
    }
    throw new IllegalStateException(
        String.format(Locale.ROOT, "the request was not refused: bytes=%d", bytes));
  }
}
