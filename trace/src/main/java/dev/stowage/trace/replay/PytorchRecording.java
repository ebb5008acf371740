package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
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
      long freshAddress,
      long contradictions) {}

  private final SnapshotHistory history;
  private final PytorchSettings settings;
  private final TreeMap<Long, SnapshotSegment> privateSegments = new TreeMap<>();
  private @Nullable Start start;

  private PytorchRecording(SnapshotHistory history, PytorchSettings settings) {
    this.history = history;
    this.settings = settings;
    for (SnapshotSegment segment : history.device().segments()) {
      if (segment.lane().pool().isPrivate()) {
        privateSegments.put(segment.address(), segment);
      }
    }
  }

  /** {@return the start, which is derived at the first call} */
  private synchronized Start start() {
    Start known = start;
    if (known == null) {
      InitialState state = new InitialState(history.device(), settings);
      List<HeldSegment> held = List.copyOf(state.segments());
      TreeSet<Long> starts = new TreeSet<>();
      long freshAddress = collectSegments(held, starts);
      known =
          new Start(
              held,
              Collections.unmodifiableNavigableSet(starts),
              freshAddress,
              state.contradictions());
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

  /** Collects the starts of segments and {@return the end of the topmost one} */
  private long collectSegments(List<HeldSegment> held, NavigableSet<Long> starts) {
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
              new SegmentLane(events.stream(event), poolId(event), isSmall), address, bytes);
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

  /** {@return an address above all recorded segments} */
  long freshAddress() {
    return start().freshAddress();
  }

  /**
   * {@return the number of events that do not agree with the segments of the snapshot, as if the
   * recording had lost events; 0 if the recording is complete}
   */
  public long contradictions() {
    return start().contradictions();
  }

  /** {@return true if all segments and events have the same stream and no private pool} */
  boolean hasOneStream() {
    SnapshotEvents events = history.device().events();
    Set<Long> streams = new HashSet<>();
    for (HeldSegment segment : held()) {
      streams.add(segment.lane().stream());
    }
    for (int event = 0; event < events.count(); event++) {
      boolean isBlock =
          events.action(event) == SnapshotAction.ALLOC
              || events.action(event) == SnapshotAction.FREE_COMPLETED;
      if ((isBlock && streams.add(events.stream(event)) && streams.size() > 1)
          || pool(event) != PoolNumber.DEFAULT) {
        return false;
      }
    }
    return streams.size() <= 1 && privateSegments.isEmpty();
  }

  /**
   * {@return true if a released segment belongs to a request: the allocator released it because the
   * device was full, or to collect garbage, and not because the program asked for it}
   *
   * @param event the index of the event
   */
  boolean isForRequest(int event) {
    SnapshotEvents events = history.device().events();
    int next = event + 1;
    while (next < events.count() && isRelease(events.action(next))) {
      next++;
    }
    if (next == events.count()) {
      return false;
    }
    return switch (events.action(next)) {
      case SEGMENT_ALLOC, SEGMENT_MAP, OOM -> true;
      default -> false;
    };
  }

  /**
   * {@return true if the event before is not the release of another segment}
   *
   * @param event the index of the event
   */
  boolean isFirstRelease(int event) {
    return event == 0 || !isRelease(history.device().events().action(event - 1));
  }

  private static boolean isRelease(SnapshotAction action) {
    return action == SnapshotAction.SEGMENT_FREE || action == SnapshotAction.SEGMENT_UNMAP;
  }

  /**
   * {@return the memory pool of an event: the pool of the event, or that of the segment at its
   * address, because older versions of PyTorch do not record it}
   *
   * @param event the index of the event
   */
  public long pool(int event) {
    SnapshotEvents events = history.device().events();
    PoolId pool = events.pool(event);
    if (!pool.isPrivate() && !privateSegments.isEmpty()) {
      long address = events.address(event);
      Map.Entry<Long, SnapshotSegment> below = privateSegments.floorEntry(address);
      if (below != null && address - below.getKey() < below.getValue().bytes()) {
        return PoolNumber.of(below.getValue().lane().pool());
      }
    }
    return PoolNumber.of(pool);
  }
}
