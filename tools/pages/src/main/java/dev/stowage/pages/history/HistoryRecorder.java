package dev.stowage.pages.history;

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

  private static final int MAX_STEPS = 1 << 18;
  private static final int MAX_PARTS = 1 << 13;

  private final Map<String, PlacedChunk> live = new HashMap<>();
  private final LargestChunks chunks = new LargestChunks(LargestChunks.MAX_CHUNKS);
  private final List<RequestFailure> failures = new ArrayList<>();
  private final Map<Integer, RegionExtent> regions = new TreeMap<>();

  private final Steps<Long> reservedBytes = curve();
  private final Steps<Long> bytesInUse = curve();
  private final Steps<Long> requestedBytes = curve();
  private final Steps<PartsAt> parts = new Steps<>(MAX_PARTS, PartsAt::larger);

  private long olderCount;
  private long count;
  private long event;
  private long peakBytes;
  private long peakEvent;
  private Optional<Placement> placement = Optional.empty();

  private static Steps<Long> curve() {
    return new Steps<>(MAX_STEPS, Math::max);
  }

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
      public void address(long address, long alignment) {
        replay.address(address, alignment);
      }

      @Override
      public void accept(AllocationEvent event) {
        replay(event, replay);
      }
    };
  }

  /** Replays an event; the replay calls {@link #accept} with the placement. */
  void replay(AllocationEvent next, TraceReplay replay) {
    if (count == olderCount) { // before the first event, the request at this moment is this one
      addParts(next, replay);
    }
    long failuresBefore = replay.failures();
    replay.accept(next);
    MemoryUse now = replay.use();
    // Older blocks are in use before the first recorded event.
    count++;
    event = Math.max(0, count - olderCount);
    switch (next) {
      case AllocationEvent.Allocate allocate -> allocated(allocate, replay);
      case AllocationEvent.Fail(AllocationEvent.Allocate request, _) ->
          failed(request, replay.failures() > failuresBefore);
      case AllocationEvent.Free free -> freed(free);
    }
    recordCurves(now);
    addParts(next, replay);
    replay.changedRegions().forEach(this::recordRegion);
  }

  private void addParts(AllocationEvent next, TraceReplay replay) {
    parts.add(event, new PartsAt(event, next.stream(), replay.reservedBytes(next.stream())));
  }

  private void allocated(AllocationEvent.Allocate request, TraceReplay replay) {
    Optional<Placement.Spot> spot = placement.orElseThrow().spot();
    if (spot.isPresent()) {
      PlacedChunk chunk =
          new PlacedChunk(
              request,
              replay.allocator().usedBytes(replay.address(request.id()).orElseThrow()).bytes(),
              spot.get().regionIndex(),
              spot.get().offset(),
              event,
              Long.MAX_VALUE);
      live.put(request.id(), chunk);
    } else {
      failed(request, request.bytes() > 0);
    }
  }

  private void failed(AllocationEvent.Allocate request, boolean isRefused) {
    if (isRefused && failures.size() < MAX_FAILURES) {
      failures.add(new RequestFailure(request, event));
    }
  }

  private void freed(AllocationEvent.Free free) {
    Optional.ofNullable(live.remove(free.id())).ifPresent(chunk -> end(chunk, event));
  }

  private void end(PlacedChunk chunk, long end) {
    chunks.add(chunk.endingAt(end), peakEvent);
  }

  private void recordCurves(MemoryUse now) {
    reservedBytes.add(event, now.reservedBytes());
    bytesInUse.add(event, now.bytesInUse());
    requestedBytes.add(event, now.requestedBytesInUse());
    if ((event > 0 || count == olderCount) && now.requestedBytesInUse() > peakBytes) {
      peakBytes = now.requestedBytesInUse();
      peakEvent = event;
    }
  }

  private void recordRegion(HeldRegion region) {
    RegionExtent known = regions.get(region.index());
    if (region.bytes() > 0) {
      Steps<Long> bytes = known == null ? curve() : known.bytes();
      bytes.add(event, region.bytes());
      regions.put(
          region.index(),
          new RegionExtent(region.index(), region.owner(), region.pageBytes(), bytes));
    } else if (known != null) { // others came and went during one event
      known.bytes().add(event, 0L);
    }
  }

  /** {@return the history; called once, after the last event} */
  public ReplayHistory history() {
    long eventCount = event;
    live.values().forEach(chunk -> end(chunk, eventCount + 1));
    List<PlacedChunk> drawn = chunks.byFirstEvent(peakEvent);
    return new ReplayHistory(
        new ReplayHistory.Events(eventCount, olderCount),
        new ReplayHistory.Drawn(drawn, chunks.skippedCount()),
        failures,
        List.copyOf(regions.values()),
        new ReplayHistory.Curves(reservedBytes, bytesInUse, requestedBytes),
        parts);
  }
}
