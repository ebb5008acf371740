package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory pools of the requests of a recording whose events do not name them.
 *
 * <p>A request belongs to the pool of the segment in which it was recorded. A snapshot has the pool
 * of each segment that exists at its end.
 */
final class RecordedPools {

  /*
   * The addresses of a segment that was released belong to another segment later, perhaps of another
   * pool. Therefore the segments of each moment are followed from the first event to the last one.
   *
   * The ranges of an expandable segment get memory from the lowest address on. So a range that starts
   * within or directly above the known ranges of a segment belongs to it, and others start a new one.
   */

  /** A segment while it exists. */
  private static final class Extent {

    final long start;
    final boolean isExpandable;
    long top;
    long mappedBytes;
    int index;

    /** The default pool until the segments at the end are known. */
    long pool = PoolNumber.DEFAULT;

    Extent(long start, long top, boolean isExpandable) {
      this.start = start;
      this.top = top;
      this.isExpandable = isExpandable;
      mappedBytes = top - start;
    }
  }

  private static final int NONE = -1;

  private final SnapshotEvents events;
  private final TreeMap<Long, Extent> live = new TreeMap<>();
  private final List<Extent> extents = new ArrayList<>();

  /** The index of the segment of each allocation and of each range that gets memory. */
  private final int[] extentOf;

  /** The first event that released a segment of a private pool: its last graph was destroyed. */
  private final Map<Long, Integer> destroyed = new HashMap<>();

  /**
   * @param device the recording
   * @param held the segments before the first event
   */
  RecordedPools(DeviceSnapshot device, List<HeldSegment> held) {
    events = device.events();
    extentOf = new int[events.count()];
    for (HeldSegment segment : held) {
      if (segment.isExpandable()) {
        map(segment.address(), segment.bytes());
      } else {
        add(new Extent(segment.address(), segment.address() + segment.bytes(), false));
      }
    }
    Map<Integer, Extent> released = new LinkedHashMap<>();
    for (int event = 0; event < events.count(); event++) {
      follow(event, released);
    }
    for (SnapshotSegment segment : device.segments()) {
      Extent extent = at(segment.address());
      if (extent != null) {
        extent.pool = PoolNumber.of(segment.lane().pool());
      }
    }
    released.forEach((event, extent) -> destroyed.putIfAbsent(extent.pool, event));
    destroyed.remove(PoolNumber.DEFAULT);
  }

  private void follow(int event, Map<Integer, Extent> released) {
    long address = events.address(event);
    long bytes = events.bytes(event);
    switch (events.action(event)) {
      case ALLOC -> {
        Extent extent = at(address);
        extentOf[event] = extent == null ? NONE : extent.index;
      }
      case SEGMENT_ALLOC -> add(new Extent(address, address + bytes, false));
      case SEGMENT_MAP -> {
        map(address, bytes);
        extentOf[event] = Objects.requireNonNull(at(address)).index;
      }
      case SEGMENT_FREE, SEGMENT_UNMAP -> {
        Extent extent = at(address);
        if (extent != null) {
          released.put(event, extent);
          extent.mappedBytes -= bytes;
          if (extent.mappedBytes <= 0) {
            live.remove(extent.start);
          }
        }
      }
      default -> {}
    }
  }

  private void map(long address, long bytes) {
    Map.Entry<Long, Extent> below = live.floorEntry(address);
    Extent extent = below == null ? null : below.getValue();
    if (extent == null || !extent.isExpandable || address > extent.top) {
      extent = new Extent(address, address, true);
      add(extent);
    }
    extent.top = Math.max(extent.top, address + bytes);
    extent.mappedBytes += bytes;
  }

  private void add(Extent extent) {
    extent.index = extents.size();
    extents.add(extent);
    live.put(extent.start, extent);
  }

  private @Nullable Extent at(long address) {
    Map.Entry<Long, Extent> below = live.floorEntry(address);
    return below == null || address >= below.getValue().top ? null : below.getValue();
  }

  /** {@return the number of the pool of an allocation or of a range that gets memory} */
  long poolOf(int event) {
    return extentOf[event] == NONE ? PoolNumber.DEFAULT : extents.get(extentOf[event]).pool;
  }

  /**
   * {@return the private pools of which a release until an event has shown that no graph uses them
   * any more}
   */
  List<Long> destroyedUntil(int event) {
    return destroyed.entrySet().stream()
        .filter(pool -> pool.getValue() <= event)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
