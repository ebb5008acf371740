package dev.stowage.trace.explain;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.MemoryUse;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.ReservedMemory;
import dev.stowage.trace.replay.TraceReplay;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A replay that is explained at its end. */
public final class ExplainedReplay implements EventConsumer {

  /*
   * The peak and the worst failure are known only at the end. Therefore the first replay keeps the
   * events in columns, and a second one stops at these moments, where it reads the blocks. The trace
   * is read once.
   */

  private final AllocatorRules rules;
  private final TraceReplay replay;
  private final EventConsumer events;
  private final TraceColumns columns = new TraceColumns();
  private int olderCount;
  private long count;
  private long worstBytes;
  private long worstCount;

  /**
   * Creates a replay.
   *
   * @param rules the rules of the allocator
   * @param replay the first replay, with these rules
   * @param events a consumer that passes all events to the replay
   */
  public ExplainedReplay(AllocatorRules rules, TraceReplay replay, EventConsumer events) {
    this.rules = rules;
    this.replay = replay;
    this.events = events;
  }

  @Override
  public void snapshot(SnapshotHistory history) {
    olderCount = history.older().size();
    events.snapshot(history);
    columns.snapshot(history);
  }

  @Override
  public void memory(RecordedMemory memory) {
    olderCount = memory.chunks().size();
    events.memory(memory);
    columns.memory(memory);
  }

  @Override
  public void program(RecordedProgram program) {
    events.program(program);
    columns.program(program);
  }

  @Override
  public void doubt(String reason) {
    events.doubt(reason);
    columns.doubt(reason);
  }

  @Override
  public void limit(long bytes) {
    events.limit(bytes);
    columns.limit(bytes);
  }

  @Override
  public void region(long address, long bytes) {
    events.region(address, bytes);
    columns.region(address, bytes);
  }

  @Override
  public void address(long address, long alignment) {
    events.address(address, alignment);
    columns.address(address, alignment);
  }

  @Override
  public void accept(AllocationEvent event) {
    long failuresBefore = replay.failures();
    events.accept(event);
    boolean isHeld = replay.failures() == failuresBefore;
    columns.add(event, isHeld);
    count++;
    if (!isHeld && requestedBytes(event) > worstBytes) {
      worstBytes = requestedBytes(event);
      worstCount = count;
    }
  }

  private static long requestedBytes(AllocationEvent event) {
    return switch (event) {
      case AllocationEvent.Allocate request -> request.bytes();
      case AllocationEvent.Fail(AllocationEvent.Allocate request, _) -> request.bytes();
      case AllocationEvent.Free _ -> 0;
    };
  }

  /** {@return the number of recorded events} */
  public long eventCount() {
    return columns.eventCount();
  }

  /**
   * {@return the explanation}
   *
   * @param at the number of the event after which memory is explained, from 0; empty for the peak
   *     of requested bytes
   * @throws IllegalArgumentException if there is no such event
   */
  public ReplayExplanation explain(OptionalLong at) {
    long event = at.orElse(columns.peakEvent());
    if (event < 0 || event > columns.eventCount()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "event must be from 0 to %d: event=%d", columns.eventCount(), event));
    }
    SecondReplay second = new SecondReplay();
    int end = columns.endOf(event);
    Optional<WorstFailure> failure = Optional.empty();
    if (worstCount > 0 && worstCount <= end) {
      failure = Optional.of(second.failure());
    }
    second.replayUntil(end);
    MemoryMap map = new MemoryMap(columns, event, second.replay);
    MemoryUse use = second.replay.use();
    ReservedMemory memory = second.replay.reserved(columns.streamAt(event));
    if (worstCount > end) {
      failure = Optional.of(second.failure());
    }
    Map<Grouping, Holders> holders = new EnumMap<>(Grouping.class);
    for (Grouping grouping : ReplayExplanation.groupings(columns)) {
      holders.put(grouping, Holders.of(columns, event, grouping));
    }
    List<PinnedRegion> pins = map.pinnedRegions();
    return new ReplayExplanation(
        new ReplayExplanation.Moment(event, use),
        at.isEmpty(),
        memory,
        holders,
        new ReplayExplanation.Pins(pins.size(), pins.stream().limit(MemoryMap.MAX_LISTED).toList()),
        failure);
  }

  /** The second replay, of the events in the columns. */
  private final class SecondReplay {

    final TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    int next;

    SecondReplay() {
      columns.passStart(replay);
      ExplainedReplay.this.replay.assumedLimit().ifPresent(replay::assumeLimit);
      replay.keepRefusal(worstCount);
    }

    void replayUntil(int end) {
      columns.passTo(replay, next, end);
      next = end;
    }

    WorstFailure failure() {
      int end = Math.toIntExact(worstCount);
      replayUntil(end);
      long event = Math.max(0, worstCount - olderCount);
      MemoryMap map = new MemoryMap(columns, event, replay);
      ReplayResult.Failure refusal = replay.keptRefusal().orElseThrow();
      return new WorstFailure(
          event, columns.requestAt(end - 1), refusal.verdict(), refusal.reason(), map.free());
    }
  }
}
