package dev.stowage.pages.history;

import dev.stowage.pages.history.ReplayHistory.EventRange;
import dev.stowage.pages.history.ReplayHistory.RegionExtent;
import dev.stowage.pages.history.ReplayHistory.RequestFailure;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.replay.HeldRegion;
import dev.stowage.trace.replay.MemoryUse;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.SimulatedAllocator;
import dev.stowage.trace.replay.TraceReplay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A recorder of a replay. It keeps the live chunks and the data that a picture shows. */
public final class HistoryRecorder implements PlacementConsumer {

  /** The number of failed requests that a history has; the first ones. */
  public static final int MAX_FAILURES = 10_000;

  private final Map<String, PlacedChunk> live = new HashMap<>();
  private final LargestChunks chunks = new LargestChunks(LargestChunks.MAX_CHUNKS);
  private final List<RequestFailure> failures = new ArrayList<>();
  private final Map<Integer, StepCurve> regions = new TreeMap<>();
  private final Map<Integer, String> owners = new HashMap<>();
  private final Map<Long, Long> heldBytes = new HashMap<>();
  private final StepCurve reservedBytes = new StepCurve();
  private final StepCurve bytesInUse = new StepCurve();
  private final StepCurve requestedBytes = new StepCurve();
  private final StepCurve fragmentation = new StepCurve();
  private final StepCurve liveChunks = new StepCurve();
  private final StepCurve times = new StepCurve();
  private final RequestedPeak peak = new RequestedPeak();

  private long olderCount;
  private long count;
  private long event;
  private long time;
  private boolean hasTimes = true;
  private Optional<Placement> placement = Optional.empty();

  /** Receives the placement of the current event. */
  @Override
  public void accept(Placement answer) {
    placement = Optional.of(answer);
  }

  /**
   * {@return a consumer that replays events and records them}
   *
   * @param replay the replay, which calls {@link #accept} with each placement
   */
  public EventConsumer recording(TraceReplay replay) {
    return new EventConsumer() {
      @Override
      public void snapshot(SnapshotHistory history) {
        olderCount = history.older().size();
        replay.snapshot(history);
      }

      @Override
      public void memory(RecordedMemory memory) {
        olderCount = memory.chunks().size();
        replay.memory(memory);
      }

      @Override
      public void program(RecordedProgram program) {
        replay.program(program);
      }

      @Override
      public void limit(long bytes) {
        replay.limit(bytes);
      }

      @Override
      public void region(long address, long bytes) {
        replay.region(address, bytes);
      }

      @Override
      public void address(long address) {
        replay.address(address);
      }

      @Override
      public void accept(AllocationEvent event) {
        replay(event, replay);
      }
    };
  }

  /** Replays an event; the replay calls {@link #accept} with the placement. */
  void replay(AllocationEvent next, TraceReplay replay) {
    long before = replay.use().bytesInUse();
    replay.accept(next);
    MemoryUse now = replay.use();
    // Older blocks are in use before the first recorded event.
    count++;
    event = Math.max(0, count - olderCount);
    recordTime(next.time());
    switch (next) {
      case AllocationEvent.Allocate allocate ->
          allocated(allocate, now.bytesInUse() - before, replay);
      case AllocationEvent.Free free -> freed(free);
    }
    recordCurves(now);
    liveChunks.add(event, live.size());
    replay.changedRegions().forEach(this::recordRegion);
  }

  private void allocated(AllocationEvent.Allocate request, long addedBytes, TraceReplay replay) {
    Optional<Placement.Spot> spot = placement.orElseThrow().spot();
    if (spot.isPresent()) {
      PlacedChunk chunk =
          new PlacedChunk(
              request,
              addedBytes > 0 ? addedBytes : heldBytes(spot.get(), request.bytes(), replay),
              spot.get().regionIndex(),
              spot.get().offset(),
              event,
              Long.MAX_VALUE);
      live.put(request.id(), chunk);
    } else if (request.bytes() > 0 && failures.size() < MAX_FAILURES) {
      failures.add(new RequestFailure(request, event));
    }
  }

  /**
   * {@return the bytes of a block that is in use from the start, which its event does not add}
   *
   * @param otherwise the bytes if the allocator does not tell them
   */
  private long heldBytes(Placement.Spot spot, long otherwise, TraceReplay replay) {
    if (heldBytes.isEmpty()) {
      for (SimulatedAllocator.Range range : replay.ranges()) {
        if (range.isInUse()) {
          heldBytes.put(range.address(), range.bytes());
        }
      }
    }
    return spot.address().isPresent()
        ? heldBytes.getOrDefault(spot.address().getAsLong(), otherwise)
        : otherwise;
  }

  private void freed(AllocationEvent.Free free) {
    Optional.ofNullable(live.remove(free.id()))
        .ifPresent(chunk -> chunks.add(chunk.endingAt(event), peak.firstEvent()));
  }

  /** Times need not be known, and need not grow. */
  private void recordTime(long now) {
    if (now < time) {
      hasTimes = false;
    }
    time = now;
    times.add(event, now);
  }

  private void recordCurves(MemoryUse now) {
    reservedBytes.add(event, now.reservedBytes());
    bytesInUse.add(event, now.bytesInUse());
    requestedBytes.add(event, now.requestedBytesInUse());
    fragmentation.add(event, Math.round(10_000 * now.externalFragmentation()));
    if (event > 0 || count == olderCount) {
      peak.add(event, now.requestedBytesInUse());
    }
  }

  private void recordRegion(HeldRegion region) {
    int index = region.index();
    if (region.bytes() > 0) {
      owners.put(index, region.owner());
      regions.computeIfAbsent(index, none -> new StepCurve()).add(event, region.bytes());
    } else if (regions.containsKey(index)) { // others came and went during one event
      regions.get(index).add(event, 0);
    }
  }

  /** {@return the history; called once, after the last event} */
  public ReplayHistory history() {
    long eventCount = event;
    List<EventRange> peaks = peak.ranges(eventCount);
    live.values().forEach(chunk -> chunks.add(chunk.endingAt(eventCount + 1), peak.firstEvent()));
    List<PlacedChunk> drawn = chunks.byFirstEvent(peak.firstEvent());
    return new ReplayHistory(
        new ReplayHistory.Events(
            eventCount,
            olderCount,
            hasTimes && times.largest() > 0 ? Optional.of(times) : Optional.empty()),
        peaks,
        new ReplayHistory.Drawn(drawn, chunks.skippedCount()),
        failures,
        regions.entrySet().stream()
            .map(region ->
                new RegionExtent(
                    region.getKey(), owners.getOrDefault(region.getKey(), ""), region.getValue()))
            .toList(),
        new ReplayHistory.Curves(
            reservedBytes, bytesInUse, requestedBytes, fragmentation, liveChunks));
  }
}
