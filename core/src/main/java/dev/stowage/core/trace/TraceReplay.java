package dev.stowage.core.trace;

import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A replay of a recorded history: an allocator on a simulated device, with addresses but no memory.
 *
 * <p>Requests for 0 bytes take no memory. Requests that fail are counted, and their frees have no
 * effect.
 */
public final class TraceReplay implements EventConsumer {

  private final SimulatedRegions device;
  private final BfcAllocator allocator;
  private final PlacementConsumer placements;

  /** The addresses of live allocations; empty for requests that took no memory. */
  private final Map<String, OptionalLong> addresses = new HashMap<>();

  private long allocations;
  private long frees;
  private long failures;
  private Optional<ReplayResult.Failure> firstFailure = Optional.empty();
  private long peakRequestedBytes;
  private AllocatorStatistics atPeak;

  /**
   * Creates a replay without events.
   *
   * @param options the options of the allocator
   * @param placements the consumer of the placement of each request
   */
  public TraceReplay(BfcOptions options, PlacementConsumer placements) {
    this(options, placements, true);
  }

  /**
   * @param regionsLengthen true if the simulated device can lengthen regions
   */
  TraceReplay(BfcOptions options, PlacementConsumer placements, boolean regionsLengthen) {
    device = new SimulatedRegions(regionsLengthen);
    allocator = new BfcAllocator("replay", device, options);
    this.placements = placements;
    atPeak = allocator.statistics();
  }

  /**
   * Replays an event.
   *
   * @throws IllegalStateException if it allocates an id that is live, or frees one that is not
   */
  @Override
  public void accept(AllocationEvent event) {
    switch (event) {
      case AllocationEvent.Allocate allocate -> allocate(allocate);
      case AllocationEvent.Free free -> free(free);
    }
  }

  private void allocate(AllocationEvent.Allocate event) {
    if (addresses.containsKey(event.id())) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "allocation '%s' is already live", event.id()));
    }
    allocations++;
    OptionalLong address = OptionalLong.empty();
    if (event.bytes() > 0) {
      address = allocator.tryAllocate(event.bytes(), 1);
      if (address.isEmpty()) {
        noteFailure(event);
      }
      recordPeaks();
    }
    addresses.put(event.id(), address);
    placements.accept(new Placement(event.id(), event.bytes(), spot(address)));
  }

  private void noteFailure(AllocationEvent.Allocate event) {
    if (failures++ == 0) {
      try {
        allocator.allocate(event.bytes());
      } catch (BfcOutOfMemoryException e) {
        firstFailure =
            Optional.of(
                new ReplayResult.Failure(
                    allocations + frees, event.id(), e.verdict(), String.valueOf(e.getMessage())));
      }
    }
  }

  boolean hasFailed() {
    return failures > 0;
  }

  private void recordPeaks() {
    AllocatorStatistics now = allocator.statistics();
    peakRequestedBytes = Math.max(peakRequestedBytes, now.requestedBytesInUse());
    if (now.bytesInUse() > atPeak.bytesInUse()) {
      atPeak = now;
    }
  }

  private Optional<Placement.Spot> spot(OptionalLong address) {
    if (address.isEmpty()) {
      return Optional.empty();
    }
    int region = device.regionIndex(address.getAsLong());
    return Optional.of(new Placement.Spot(region, address.getAsLong() - device.start(region)));
  }

  private void free(AllocationEvent.Free event) {
    OptionalLong address = addresses.remove(event.id());
    if (address == null) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "allocation '%s' is not live", event.id()));
    }
    frees++;
    if (address.isPresent()) {
      allocator.free(address.getAsLong());
    }
  }

  /** {@return the current statistics of the allocator} */
  public AllocatorStatistics statistics() {
    return allocator.statistics();
  }

  /** {@return the current regions by ascending address} */
  public List<HeldRegion> regions() {
    return allocator.regions().stream()
        .map(region -> new HeldRegion(device.regionIndex(region.address()), region.bytes()))
        .toList();
  }

  /** {@return the result of the events so far} */
  public ReplayResult result() {
    return new ReplayResult(
        allocations,
        frees,
        failures,
        firstFailure,
        peakRequestedBytes,
        atPeak,
        allocator.statistics(),
        allocator.regions().stream().map(BfcAllocator.Region::bytes).toList());
  }
}
