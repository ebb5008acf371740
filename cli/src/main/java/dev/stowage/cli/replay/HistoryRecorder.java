package dev.stowage.cli.replay;

import dev.stowage.core.replay.MemoryUse;
import dev.stowage.core.trace.AllocationEvent;
import dev.stowage.core.trace.EventConsumer;
import dev.stowage.core.trace.HeldRegion;
import dev.stowage.core.trace.Placement;
import dev.stowage.core.trace.PlacementConsumer;
import dev.stowage.core.trace.TraceReplay;
import dev.stowage.core.trace.pytorch.SnapshotHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A recorder of a replay. It keeps the live chunks and the data that a picture shows. */
final class HistoryRecorder implements PlacementConsumer {

  static final int MAX_FAILURES = 10_000;

  private final Map<String, PlacedChunk> live = new HashMap<>();
  private final LargestChunks chunks = new LargestChunks();
  private final List<FailedRequest> failures = new ArrayList<>();
  private final Map<Integer, StepCurve> regions = new TreeMap<>();
  private final StepCurve reservedBytes = new StepCurve();
  private final StepCurve bytesInUse = new StepCurve();
  private final StepCurve requestedBytes = new StepCurve();
  private final StepCurve fragmentation = new StepCurve();

  private long eventCount;
  private long peakBytesInUse;
  private long peakEvent;
  private List<HeldRegion> held = List.of();
  private Optional<Placement> placement = Optional.empty();

  /** Receives the placement of the current event. */
  @Override
  public void accept(Placement answer) {
    placement = Optional.of(answer);
  }

  /** {@return a consumer that replays events and records them} */
  EventConsumer recording(TraceReplay replay) {
    return new EventConsumer() {
      @Override
      public void snapshot(SnapshotHistory history) {
        replay.snapshot(history);
      }

      @Override
      public void accept(AllocationEvent event) {
        replay(event, replay);
      }
    };
  }

  /** Replays an event; the replay calls {@link #accept} with the placement. */
  void replay(AllocationEvent event, TraceReplay replay) {
    long before = replay.use().bytesInUse();
    replay.accept(event);
    MemoryUse now = replay.use();
    eventCount++;
    switch (event) {
      case AllocationEvent.Allocate allocate -> allocated(allocate, now.bytesInUse() - before);
      case AllocationEvent.Free free -> freed(free);
    }
    recordCurves(now);
    // The sum of the regions stays the same if one is returned and another one is reserved.
    List<HeldRegion> regionsNow = replay.regions();
    if (!regionsNow.equals(held)) {
      recordRegions(regionsNow);
    }
  }

  private void allocated(AllocationEvent.Allocate event, long chunkBytes) {
    Optional<Placement.Spot> spot = placement.orElseThrow().spot();
    if (spot.isPresent()) {
      PlacedChunk chunk =
          new PlacedChunk(
              event.id(),
              event.bytes(),
              // The bytes of a block that is in use from the start do not change.
              Math.max(chunkBytes, event.bytes()),
              spot.get().regionIndex(),
              spot.get().offset(),
              eventCount,
              Long.MAX_VALUE,
              event.stream(),
              event.origin());
      live.put(event.id(), chunk);
    } else if (event.bytes() > 0 && failures.size() < MAX_FAILURES) {
      failures.add(
          new FailedRequest(event.id(), event.bytes(), eventCount, event.stream(), event.origin()));
    }
  }

  private void freed(AllocationEvent.Free event) {
    Optional.ofNullable(live.remove(event.id()))
        .ifPresent(chunk -> chunks.add(chunk.endingAt(eventCount)));
  }

  private void recordCurves(MemoryUse now) {
    reservedBytes.add(eventCount, now.reservedBytes());
    bytesInUse.add(eventCount, now.bytesInUse());
    requestedBytes.add(eventCount, now.requestedBytesInUse());
    fragmentation.add(eventCount, Math.round(10_000 * now.externalFragmentation()));
    if (now.bytesInUse() > peakBytesInUse) {
      peakBytesInUse = now.bytesInUse();
      peakEvent = eventCount;
    }
  }

  private void recordRegions(List<HeldRegion> now) {
    Map<Integer, Long> gone = new HashMap<>();
    held.forEach(region -> gone.put(region.index(), 0L));
    for (HeldRegion region : now) {
      gone.remove(region.index());
      curveOf(region.index()).add(eventCount, region.bytes());
    }
    gone.forEach((index, none) -> curveOf(index).add(eventCount, none));
    held = now;
  }

  private StepCurve curveOf(int regionIndex) {
    return regions.computeIfAbsent(regionIndex, none -> new StepCurve());
  }

  /** {@return the history; called once, after the last event} */
  ReplayHistory history() {
    live.values().forEach(chunk -> chunks.add(chunk.endingAt(eventCount + 1)));
    List<PlacedChunk> drawn = chunks.byFirstEvent();
    return new ReplayHistory(
        eventCount,
        peakEvent,
        drawn,
        chunks.skippedCount(),
        chunks.skippedShare(),
        failures,
        regions.entrySet().stream()
            .map(region -> new RegionExtent(region.getKey(), region.getValue()))
            .toList(),
        reservedBytes,
        bytesInUse,
        requestedBytes,
        fragmentation);
  }
}
