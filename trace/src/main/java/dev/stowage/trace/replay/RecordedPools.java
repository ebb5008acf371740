package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory pools of recorded requests, for recordings without pools in their events.
 *
 * <p>A request belongs to the pool of the segment in which it was recorded. A snapshot has the pool
 * of each segment that exists at its end. The pools of the others are derived.
 */
final class RecordedPools {

  /*
   * The addresses of a segment that was released belong to another segment later. Therefore the
   * segments of each moment are followed from the first event to the last one. The ranges of an
   * expandable segment get memory from the lowest address on. So a range that starts within or directly
   * above the known ranges of a segment belongs to it. Lower addresses of it may have lost their memory
   * before the first event. A segment has more addresses than the device has memory: so a range nearer
   * to a segment than that belongs to it, too, and others start a new one.
   *
   * A segment that was released is in the default pool, unless something speaks against it:
   *
   *   - a request of the default pool left a better block in it (RecordedBlocks);
   *   - a release returned it, but not a free segment of the default pool: so the release was the
   *     end of one private pool, and free segments that remained are in other pools;
   *   - a release has an order: first the large segments of the default pool, then its small ones,
   *     then the segments of each private pool. Each of these parts is sorted by stream, size and
   *     address.
   *
   * A garbage collection and a release above the split limit return only some of the free segments, so
   * that the last two rules hold only without these settings, or if the snapshot has a private pool.
   *
   * Segments of requests that follow one another, and of the same part of a release, are in the same
   * private pool, unless something speaks against it (PoolGroups).
   */

  /** The order of the segments of one kind and one pool in a release. */
  private static final Comparator<Extent> RELEASED_IN_ORDER =
      Comparator.comparing((Extent extent) -> extent.stream, Long::compareUnsigned)
          .thenComparingLong(extent -> extent.top - extent.start)
          .thenComparingLong(extent -> extent.start);

  /** No device has less memory. */
  private static final long LEAST_DEVICE_BYTES = 1L << 30;

  private static final int NONE = -1;
  private static final int OLDER = -1;

  /** The first of the numbers of derived pools, which no pool of PyTorch has. */
  private static final long FIRST_DERIVED = 1L << 62;

  private final SnapshotEvents events;

  /** The most bytes of all segments at any time: the device has at least as many. */
  private final long deviceBytes;

  /** False if a release may return only some free segments, which shows nothing about pools. */
  private final boolean releasesTell;

  private final TreeMap<Long, Extent> live = new TreeMap<>();
  private final List<Extent> extents = new ArrayList<>();
  private final RecordedBlocks blocks;

  /** The index of the extent of each allocation and of each segment or range that comes. */
  private final int[] extentOf;

  private final List<Release> releases = new ArrayList<>();
  private final List<Extent> released = new ArrayList<>();

  /** The first event that released a segment of a private pool: its last graph was destroyed. */
  private final Map<Long, Integer> destroyed = new HashMap<>();

  private boolean hasOnlyDerived;

  /** The private pools of releases that concern no other pool, by the last event of each. */
  private final Map<Integer, List<Long>> onlyPools = new HashMap<>();

  /**
   * Segments that were released together.
   *
   * @param last the last event
   * @param extents the segments in the order of their release
   * @param hasLeftFree the free segments that remained
   */
  private record Release(int last, List<Extent> extents, List<Extent> hasLeftFree) {

    /** {@return true if all segments are in one private pool} */
    boolean isOfOnePool() {
      return hasLeftFree.stream().anyMatch(Extent::isDefaultAtEnd);
    }
  }

  /**
   * @param device the recording
   * @param held the segments before the first event
   * @param settings the settings of the recording
   */
  RecordedPools(DeviceSnapshot device, List<HeldSegment> held, PytorchSettings settings) {
    events = device.events();
    deviceBytes = mostBytes(held);
    boolean hasPrivate =
        device.segments().stream().anyMatch(segment -> segment.lane().pool().isPrivate());
    releasesTell =
        hasPrivate
            || (settings.garbageCollectionThreshold() == 0
                && settings.maxSplitBytes() == PytorchSettings.UNLIMITED);
    extentOf = new int[events.count()];
    blocks = new RecordedBlocks(settings);
    for (HeldSegment segment : held) {
      hold(segment);
    }
    for (int event = 0; event < events.count(); event++) {
      follow(event);
    }
    for (SnapshotSegment segment : device.segments()) {
      Extent extent = at(segment.address());
      if (extent != null) {
        extent.pool = PoolNumber.of(segment.lane().pool());
        extent.isAtEnd = true;
      }
    }
    derive();
  }

  private long mostBytes(List<HeldSegment> held) {
    long bytes = held.stream().mapToLong(HeldSegment::bytes).sum();
    long most = Math.max(LEAST_DEVICE_BYTES, bytes);
    for (int event = 0; event < events.count(); event++) {
      switch (events.action(event)) {
        case SEGMENT_ALLOC, SEGMENT_MAP -> bytes += events.bytes(event);
        case SEGMENT_FREE, SEGMENT_UNMAP -> bytes -= events.bytes(event);
        default -> {}
      }
      most = Math.max(most, bytes);
    }
    return most;
  }

  private void hold(HeldSegment segment) {
    long stream = segment.lane().stream();
    boolean isSmall = segment.lane().isSmall();
    if (segment.isExpandable()) {
      map(OLDER, segment.address(), segment.bytes(), stream, isSmall);
    } else {
      add(OLDER, segment.address(), segment.bytes(), stream, isSmall);
    }
    segment.blocks().forEach(block -> blocks.addUsed(block.address(), block.bytes()));
  }

  private void follow(int event) {
    long address = events.address(event);
    long bytes = events.bytes(event);
    SnapshotAction action = events.action(event);
    if (action != SnapshotAction.SEGMENT_FREE
        && action != SnapshotAction.SEGMENT_UNMAP
        && !released.isEmpty()) {
      endRelease(event - 1);
    }
    switch (action) {
      case ALLOC -> {
        Extent extent = at(address);
        extentOf[event] = extent == null ? NONE : extent.index;
        blocks.allocate(address, bytes);
      }
      case FREE_COMPLETED -> blocks.free(address);
      case SEGMENT_ALLOC -> extentOf[event] = add(event, bytes == 2 * PytorchSettings.MIB).index;
      case SEGMENT_MAP -> extentOf[event] = map(event, bytes == 2 * PytorchSettings.MIB).index;
      case SEGMENT_FREE, SEGMENT_UNMAP -> release(event, address, bytes);
      default -> {}
    }
  }

  private Extent add(int event, boolean isSmall) {
    return add(event, events.address(event), events.bytes(event), events.stream(event), isSmall);
  }

  private Extent add(int event, long address, long bytes, long stream, boolean isSmall) {
    Extent extent = begin(event, address, stream, isSmall, false);
    grow(extent, address, bytes);
    return extent;
  }

  private Extent map(int event, boolean isSmall) {
    return map(event, events.address(event), events.bytes(event), events.stream(event), isSmall);
  }

  private Extent map(int event, long address, long bytes, long stream, boolean isSmall) {
    Map.Entry<Long, Extent> below = live.floorEntry(address);
    Extent extent = below == null ? null : below.getValue();
    if (extent == null || !extent.isExpandable || address > extent.top) {
      extent =
          Stream.of(below, live.higherEntry(address))
              .filter(Objects::nonNull)
              .map(Map.Entry::getValue)
              .filter(near ->
                  near.isExpandable
                      && near.stream == stream
                      && near.isSmall == isSmall
                      && Math.abs(address - near.start) < deviceBytes)
              .findFirst()
              .orElseGet(() -> begin(event, address, stream, isSmall, true));
    }
    if (address < extent.start) {
      live.remove(extent.start);
      extent.start = address;
      live.put(address, extent);
    }
    grow(extent, address, bytes);
    return extent;
  }

  private Extent begin(int event, long start, long stream, boolean isSmall, boolean isExpandable) {
    Extent extent = new Extent(extents.size(), event, start, stream, isSmall, isExpandable);
    if (isExpandable) {
      // A pool has one expandable segment for a stream and kind of requests.
      live.values().stream()
          .filter(other -> other.isExpandable && other.stream == stream && other.isSmall == isSmall)
          .forEach(extent::separateFrom);
    }
    extents.add(extent);
    live.put(start, extent);
    return extent;
  }

  private void grow(Extent extent, long address, long bytes) {
    extent.top = Math.max(extent.top, address + bytes);
    extent.mappedBytes += bytes;
    blocks.add(extent, address, bytes);
  }

  private void release(int event, long address, long bytes) {
    Extent extent = at(address);
    if (extent == null) {
      return;
    }
    released.add(extent);
    extent.releasedAt = Math.min(extent.releasedAt, event);
    blocks.release(address, bytes);
    extent.mappedBytes -= bytes;
    if (extent.mappedBytes <= 0) {
      live.remove(extent.start);
    }
  }

  private void endRelease(int last) {
    List<Extent> free = new ArrayList<>();
    for (Extent extent : live.values()) {
      if (!extent.isExpandable && blocks.isFree(extent)) {
        free.add(extent);
      }
    }
    for (Extent gone : releasesTell ? released : List.<Extent>of()) {
      for (Extent left : free) {
        if (left != gone) {
          gone.separateFrom(left);
        }
      }
    }
    releases.add(new Release(last, List.copyOf(released), releasesTell ? free : List.of()));
    released.clear();
  }

  private @Nullable Extent at(long address) {
    Map.Entry<Long, Extent> below = live.floorEntry(address);
    return below == null || address >= below.getValue().top ? null : below.getValue();
  }

  /** Derives the pools of the segments that do not exist at the end. */
  private void derive() {
    Set<Extent> isPrivate = new LinkedHashSet<>();
    for (Extent extent : extents) {
      if (extent.isPrivateAtEnd()
          || (!extent.isAtEnd && extent.others.stream().anyMatch(Extent::isDefaultAtEnd))) {
        isPrivate.add(extent);
      }
    }
    PoolGroups groups = new PoolGroups();
    for (Release release : releases) {
      if (release.isOfOnePool()) {
        isPrivate.addAll(release.extents());
      } else if (releasesTell) {
        addPrivateParts(release.extents(), isPrivate);
      }
    }
    joinNeighbours(isPrivate, groups);
    for (Release release : releases) {
      List<Extent> members = release.extents();
      for (int i = 1; i < members.size(); i++) {
        boolean areTogether =
            release.isOfOnePool()
                || (isPrivate.contains(members.get(i))
                    && isPrivate.contains(members.get(i - 1))
                    && RELEASED_IN_ORDER.compare(members.get(i - 1), members.get(i)) < 0);
        if (areTogether) {
          groups.join(members.get(i - 1), members.get(i));
        }
      }
    }
    groups.setPools(FIRST_DERIVED, List.copyOf(isPrivate));
    hasOnlyDerived = isPrivate.stream().noneMatch(Extent::isPrivateAtEnd) && !isPrivate.isEmpty();
    for (Release release : releases) {
      for (Extent extent : release.extents()) {
        if (extent.pool != PoolNumber.DEFAULT) {
          destroyed.merge(extent.pool, release.last(), Math::min);
        }
      }
      if (release.isOfOnePool()) {
        onlyPools.put(
            release.last(),
            release.extents().stream().map(extent -> extent.pool).distinct().toList());
      }
    }
  }

  /** Joins the segments of requests that follow one another on a stream, as in a capture. */
  private void joinNeighbours(Set<Extent> isPrivate, PoolGroups groups) {
    Extent last = null;
    for (int event = 0; event < events.count(); event++) {
      if (events.action(event) == SnapshotAction.ALLOC) {
        Extent extent = extentOf[event] == NONE ? null : extents.get(extentOf[event]);
        if (extent != null
            && last != null
            && extent != last
            && extent.stream == last.stream
            && isPrivate.contains(last)
            && isPrivate.contains(extent)) {
          groups.join(last, extent);
        }
        last = extent;
      }
    }
  }

  /** Finds the parts of a release after the parts of the default pool. */
  private static void addPrivateParts(List<Extent> release, Set<Extent> isPrivate) {
    int part = 0; // 0 and 1: large and small ones of the default pool; then other pools
    for (int i = 0; i < release.size(); i++) {
      Extent extent = release.get(i);
      if (extent.isExpandable) {
        return;
      }
      boolean isSorted = i == 0 || RELEASED_IN_ORDER.compare(release.get(i - 1), extent) < 0;
      boolean isSameKind = i == 0 || release.get(i - 1).isSmall == extent.isSmall;
      if (part == 0 && extent.isSmall) {
        part = 1;
      } else if (!isSorted || !isSameKind) {
        part = 2;
      }
      if (part == 2) {
        isPrivate.add(extent);
      }
    }
  }

  /** {@return true if there are private pools, and the snapshot names none of them} */
  boolean hasOnlyDerived() {
    return hasOnlyDerived;
  }

  /** {@return the number of the pool of an allocation or of a range that gets memory} */
  long poolOf(int event) {
    return extentOf[event] == NONE ? PoolNumber.DEFAULT : extents.get(extentOf[event]).pool;
  }

  /**
   * {@return the pools of which the program releases the cached memory}
   *
   * @param last the last event of a release
   */
  List<Long> releasedBy(int last) {
    List<Long> only = onlyPools.get(last);
    if (only != null) {
      return only;
    }
    List<Long> all = new ArrayList<>(List.of(PoolNumber.DEFAULT));
    all.addAll(destroyedUntil(last));
    return all;
  }

  /** {@return the private pools that no graph uses any more, as releases up to an event show} */
  List<Long> destroyedUntil(int event) {
    return destroyed.entrySet().stream()
        .filter(pool -> pool.getValue() <= event)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
