package dev.stowage.trace.replay;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.pytorch.OlderBlock;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A recording of PyTorch's allocator, as the start of replays: the state before its first event,
 * and the segments that came and went.
 *
 * <p>Immutable and thread-safe, so that replays with different settings share it.
 */
public final class PytorchRecording {

  /** The state before the first event, and the addresses of all segments. */
  private record Start(
      List<HeldSegment> held,
      NavigableSet<Long> segmentStarts,
      long top,
      long contradictions,
      Optional<RecordedPools> pools,
      RecordedReleases releases,
      RecordedCompletions completions,
      Optional<RecordedLimit> limit,
      Set<Long> fixedPools) {}

  private final SnapshotHistory history;
  private final PytorchSettings settings;
  private final boolean hasPrivateSegments;
  private @Nullable Start start;

  private PytorchRecording(SnapshotHistory history, PytorchSettings settings) {
    this.history = history;
    this.settings = settings;
    hasPrivateSegments =
        history.device().segments().stream().anyMatch(segment -> segment.lane().pool().isPrivate());
  }

  /** {@return the start, which is derived at the first call} */
  private synchronized Start start() {
    Start known = start;
    if (known == null) {
      InitialState state = new InitialState(history.device(), settings);
      List<HeldSegment> held = List.copyOf(state.segments());
      Optional<RecordedPools> pools =
          mayHavePrivatePools()
              ? Optional.of(new RecordedPools(history.device(), held, settings))
              : Optional.empty();
      TreeSet<Long> starts = new TreeSet<>();
      long top = collectSegments(held, pools, starts);
      known =
          new Start(
              held,
              Collections.unmodifiableNavigableSet(starts),
              top,
              state.contradictions(),
              pools,
              new RecordedReleases(
                  history.device().events(),
                  held,
                  settings.garbageCollectionThreshold() > 0,
                  event -> pool(event, pools) != PoolNumber.DEFAULT),
              new RecordedCompletions(history),
              findLimit(),
              fixedPools(pools));
      start = known;
    }
    return known;
  }

  /**
   * {@return the recording of a device}
   *
   * @param history the history of the device
   */
  public static PytorchRecording of(SnapshotHistory history) {
    return new PytorchRecording(history, RecordedSettings.of(history.device().settings()));
  }

  /**
   * {@return the limit that the requests that failed show, if the allocator answers by size}
   *
   * <p>The allocator compares a whole segment with the limit. An expandable one may then grow by
   * less, or by up to one page more.
   */
  private Optional<RecordedLimit> findLimit() {
    RecordedLimit.Range range = new RecordedLimit.Range();
    SnapshotEvents events = history.device().events();
    long reserved = reservedAtStart();
    long beforeGrowth = reserved;
    range.held(reserved - (settings.isExpandable() ? SegmentSizes.page(settings, false) : 0));
    for (int event = 0; event < events.count(); event++) {
      long bytes = events.bytes(event);
      switch (events.action(event)) {
        case SEGMENT_ALLOC, SEGMENT_MAP -> {
          reserved += bytes;
          if (!settings.isExpandable()) {
            range.held(reserved);
          }
        }
        case SEGMENT_FREE, SEGMENT_UNMAP -> {
          reserved -= bytes;
          beforeGrowth = reserved;
        }
        case ALLOC -> {
          if (settings.isExpandable() && beforeGrowth < reserved) {
            range.held(beforeGrowth + segmentBytes(bytes));
          }
          beforeGrowth = reserved;
        }
        case OOM -> {
          if (bytes > 0) {
            long most = Math.min(bytes, SegmentSizes.REJECTED_BYTES);
            range.failed(reserved, segmentBytes(most), events.address(event));
          }
          beforeGrowth = reserved;
        }
        default -> {}
      }
    }
    return range.limit();
  }

  /**
   * {@return the reserved bytes before the first event: at the end, without the recorded changes}
   */
  private long reservedAtStart() {
    SnapshotEvents events = history.device().events();
    long reserved = history.device().reservedBytes();
    for (int event = 0; event < events.count(); event++) {
      switch (events.action(event)) {
        case SEGMENT_ALLOC, SEGMENT_MAP -> reserved -= events.bytes(event);
        case SEGMENT_FREE, SEGMENT_UNMAP -> reserved += events.bytes(event);
        default -> {}
      }
    }
    return Math.max(0, reserved);
  }

  private long segmentBytes(long bytes) {
    return SegmentSizes.of(settings, settings.blockBytes(bytes));
  }

  /**
   * {@return the private pools with an allocator of the program: their segments are not expandable,
   * whatever the settings are}
   */
  private Set<Long> fixedPools(Optional<RecordedPools> pools) {
    if (!settings.isExpandable()) {
      return Set.of();
    }
    Set<Long> fixed = new HashSet<>();
    Set<Long> expandable = new HashSet<>(Set.of(PoolNumber.DEFAULT));
    for (SnapshotSegment segment : history.device().segments()) {
      (segment.isExpandable() ? expandable : fixed).add(PoolNumber.of(segment.lane().pool()));
    }
    SnapshotEvents events = history.device().events();
    for (int event = 0; event < events.count(); event++) {
      switch (events.action(event)) {
        case SEGMENT_ALLOC -> fixed.add(pool(event, pools));
        case SEGMENT_MAP -> expandable.add(pool(event, pools));
        default -> {}
      }
    }
    fixed.removeAll(expandable);
    return Set.copyOf(fixed);
  }

  /** Collects the starts of segments and {@return the end of the topmost one} */
  private long collectSegments(
      List<HeldSegment> held, Optional<RecordedPools> pools, NavigableSet<Long> starts) {
    ExpandableStarts expandable = new ExpandableStarts();
    long top = 0;
    for (HeldSegment segment : held) {
      top = Math.max(top, segment.address() + segment.bytes());
      if (segment.isExpandable()) {
        expandable.map(segment.lane(), segment.address(), segment.bytes());
      } else {
        starts.add(segment.address());
      }
    }
    SnapshotEvents events = history.device().events();
    for (int event = 0; event < events.count(); event++) {
      long address = events.address(event);
      long bytes = events.bytes(event);
      switch (events.action(event)) {
        case SEGMENT_ALLOC -> {
          starts.add(address);
          top = Math.max(top, address + bytes);
        }
        case SEGMENT_MAP -> {
          boolean isSmall = bytes == 2 * PytorchSettings.MIB;
          expandable.map(
              new SegmentLane(events.stream(event), PoolNumber.pool(pool(event, pools)), isSmall),
              address,
              bytes);
          top = Math.max(top, address + bytes);
        }
        case SEGMENT_UNMAP -> expandable.unmap(address, bytes);
        default -> {}
      }
    }
    starts.addAll(expandable.starts());
    return top;
  }

  /**
   * {@return the pool of an event, as {@link #pool(int)} derives it}
   *
   * @param event the index of the event
   */
  public PoolId poolId(int event) {
    return PoolNumber.pool(pool(event));
  }

  /**
   * Passes the allocations and frees of the recording, without their stacks.
   *
   * @param consumer gets the older blocks at time 0, and then the events
   */
  void passEvents(EventConsumer consumer) {
    for (int i = 0; i < history.older().size(); i++) {
      OlderBlock block = history.older().get(i);
      consumer.accept(allocation(i, block.requestedBytes(), block.stream()));
    }
    SnapshotEvents events = history.device().events();
    for (int event = 0; event < events.count(); event++) {
      int allocation = history.allocation(event);
      switch (events.action(event)) {
        case ALLOC -> {
          int ended = history.ended(event);
          if (ended != SnapshotHistory.NONE) {
            consumer.accept(free(ended, events.stream(event)));
          }
          consumer.accept(allocation(allocation, events.bytes(event), events.stream(event)));
        }
        case OOM ->
            consumer.accept(
                new AllocationEvent.Fail(
                    allocation(allocation, events.bytes(event), events.stream(event))));
        case FREE_COMPLETED -> {
          if (allocation != SnapshotHistory.NONE) {
            consumer.accept(free(allocation, events.stream(event)));
          }
        }
        default -> {}
      }
    }
  }

  private static AllocationEvent.Allocate allocation(int number, long bytes, long stream) {
    return new AllocationEvent.Allocate(Integer.toString(number), bytes, stream, 0);
  }

  private static AllocationEvent free(int number, long stream) {
    return new AllocationEvent.Free(Integer.toString(number), stream, 0);
  }

  /** {@return the history} */
  public SnapshotHistory history() {
    return history;
  }

  /** {@return the settings of the recorded allocator} */
  public PytorchSettings settings() {
    return settings;
  }

  /** {@return the segments before the first event, by ascending address} */
  List<HeldSegment> held() {
    return start().held();
  }

  /** {@return the addresses at which recorded segments start} */
  NavigableSet<Long> segmentStarts() {
    return start().segmentStarts();
  }

  /** {@return the end of the topmost recorded segment} */
  long top() {
    return start().top();
  }

  /**
   * {@return the number of events that do not agree with the segments of the snapshot, as if the
   * recording had lost events; 0 if the recording is complete}
   */
  public long contradictions() {
    return start().contradictions();
  }

  /** {@return the frees that waited for work} */
  RecordedCompletions completions() {
    return start().completions();
  }

  /** {@return the limit that the requests that failed show; empty if none shows one} */
  public Optional<RecordedLimit> limit() {
    return start().limit();
  }

  /** {@return the private pools without expandable segments, whatever the settings are} */
  Set<Long> fixedPools() {
    return start().fixedPools();
  }

  /** {@return the moments at which segments were released} */
  RecordedReleases releases() {
    return start().releases();
  }

  /**
   * {@return the memory pool of an event. If the event has none, as in older versions of PyTorch,
   * it is the pool of the segment in which the allocation was recorded}
   *
   * @param event the index of the event
   */
  public long pool(int event) {
    return pool(event, start().pools());
  }

  /**
   * {@return true if a segment belongs to a private pool, or may have belonged to one when it was
   * released}
   */
  private boolean mayHavePrivatePools() {
    SnapshotEvents events = history.device().events();
    boolean hasReleases = false;
    for (int event = 0; event < events.count(); event++) {
      SnapshotAction action = events.action(event);
      if (events.pool(event).isPrivate()) {
        return false; // newer versions of PyTorch record the pools
      }
      hasReleases =
          hasReleases
              || action == SnapshotAction.SEGMENT_FREE
              || action == SnapshotAction.SEGMENT_UNMAP;
    }
    return hasPrivateSegments || hasReleases;
  }

  private long pool(int event, Optional<RecordedPools> pools) {
    PoolId pool = history.device().events().pool(event);
    return pool.isPrivate() || pools.isEmpty() ? PoolNumber.of(pool) : pools.get().poolOf(event);
  }

  /** {@return the private pools that no graph uses after an event, as far as is known} */
  List<Long> destroyedPools(int event) {
    return start().pools().map(pools -> pools.destroyedUntil(event)).orElse(List.of());
  }

  /** {@return true if the private pools of the recording are all derived from released segments} */
  boolean hasOnlyDerivedPools() {
    return start().pools().map(RecordedPools::hasOnlyDerived).orElse(false);
  }

  /** {@return the pools that lose their cached memory in the release that ends with an event} */
  List<Long> releasedPools(int event) {
    return start()
        .pools()
        .map(pools -> pools.releasedBy(event))
        .orElse(List.of(PoolNumber.DEFAULT));
  }
}
