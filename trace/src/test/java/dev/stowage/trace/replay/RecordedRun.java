package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/** A run of the model, and its recording. */
final class RecordedRun {

  /** The distance between the segments of the model. */
  private static final long SPACE = 1L << 40;

  record Live(NaivePytorch.Place place, long bytes, long stream, long pool) {}

  /** True if events do not name pools, as in PyTorch 2.11. */
  boolean hidesPools;

  final NaivePytorch model = new NaivePytorch();
  final List<Live> live = new ArrayList<>();
  final List<NaivePytorch.Seg> held = new ArrayList<>();

  /** The addresses of the pages of expandable segments that have memory, with their segments. */
  TreeMap<Long, NaivePytorch.Seg> pages = new TreeMap<>();

  SnapshotEvents.Builder events = SnapshotEvents.builder();

  /** The free bytes of the device after a failure, by the bytes that the allocator holds. */
  LongUnaryOperator deviceFree = reserved -> SnapshotEvents.UNKNOWN;

  static long address(NaivePytorch.Place place) {
    return (place.segment() + 1) * SPACE + place.offset();
  }

  void allocate(long bytes, long stream, long pool) {
    NaivePytorch.Place place = model.malloc(bytes, stream, pool);
    recordSegments();
    if (place != null) {
      add(SnapshotAction.ALLOC, address(place), bytes, stream, pool);
      live.add(new Live(place, bytes, stream, pool));
    } else {
      // The entry has the rounded bytes.
      long rounded = (bytes + 511) / 512 * 512;
      add(SnapshotAction.OOM, deviceFree.applyAsLong(reservedBytes()), rounded, stream, pool);
    }
  }

  long reservedBytes() {
    return model.segs.stream().mapToLong(NaivePytorch.Seg::held).sum();
  }

  void free(int index) {
    Live freed = live.remove(index);
    model.free(freed.place());
    add(
        SnapshotAction.FREE_COMPLETED,
        address(freed.place()),
        freed.bytes(),
        freed.stream(),
        freed.pool());
  }

  void emptyCache() {
    model.emptyCache();
    recordSegments();
  }

  /** Records the segments or pages that went, and then those that came. */
  void recordSegments() {
    if (model.expandable) {
      recordPages();
      return;
    }
    // As PyTorch orders them: large and then small ones of the default pool, then small and large
    // ones
    // of each other pool; each kind by stream, size and address.
    List<NaivePytorch.Seg> gone =
        held.stream()
            .filter(seg -> !model.segs.contains(seg))
            .sorted(
                Comparator.comparingLong((NaivePytorch.Seg seg) -> seg.pool)
                    .thenComparing(seg -> (seg.pool == 0) == seg.small)
                    .thenComparingLong(seg -> seg.stream)
                    .thenComparingLong(NaivePytorch.Seg::held)
                    .thenComparingInt(seg -> seg.number))
            .toList();
    for (NaivePytorch.Seg seg : gone) {
      held.remove(seg);
      add(SnapshotAction.SEGMENT_FREE, seg);
    }
    for (NaivePytorch.Seg seg : model.segs) {
      if (!held.contains(seg)) {
        held.add(seg);
        add(SnapshotAction.SEGMENT_ALLOC, seg);
      }
    }
  }

  private void recordPages() {
    TreeMap<Long, NaivePytorch.Seg> now = new TreeMap<>();
    for (NaivePytorch.Seg seg : model.segs) {
      for (NaivePytorch.Piece piece : seg.pieces) {
        long first = piece.offset / seg.page * seg.page;
        long end = piece.offset + piece.size;
        for (long page = first; piece.mapped && page < end; page += seg.page) {
          now.put((seg.number + 1) * SPACE + page, seg);
        }
      }
    }
    addPages(SnapshotAction.SEGMENT_UNMAP, pages, now);
    addPages(SnapshotAction.SEGMENT_MAP, now, pages);
    pages = now;
  }

  /** Records an event for each range of pages that are only in the first map. */
  private void addPages(
      SnapshotAction action, Map<Long, NaivePytorch.Seg> in, Map<Long, NaivePytorch.Seg> notIn) {
    long start = 0;
    long end = 0;
    for (Map.Entry<Long, NaivePytorch.Seg> page : in.entrySet()) {
      long address = page.getKey();
      NaivePytorch.Seg seg = page.getValue();
      if (notIn.containsKey(address)) {
        continue;
      }
      start = address == end ? start : address;
      end = address + seg.page;
      if (!in.containsKey(end) || notIn.containsKey(end)) {
        add(action, start, end - start, seg.stream, seg.pool);
      }
    }
  }

  Map<Long, Long> blockBytes() {
    Map<Long, Long> bytes = new TreeMap<>();
    for (NaivePytorch.Seg seg : model.segs) {
      for (NaivePytorch.Piece piece : seg.pieces) {
        if (piece.used) {
          bytes.put((seg.number + 1) * SPACE + piece.offset, piece.size);
        }
      }
    }
    return bytes;
  }

  private void add(SnapshotAction action, NaivePytorch.Seg seg) {
    add(action, (seg.number + 1) * SPACE, seg.held(), seg.stream, seg.pool);
  }

  private void add(SnapshotAction action, long address, long bytes, long stream, long pool) {
    events.add(action, address, bytes, stream, poolId(hidesPools ? 0 : pool), 0, StackTable.NONE);
  }

  static PoolId poolId(long pool) {
    return new PoolId(0, pool);
  }

  DeviceSnapshot snapshot(SnapshotSettings settings) {
    List<SnapshotSegment> segments = new ArrayList<>();
    for (NaivePytorch.Seg seg : model.segs) {
      List<SnapshotBlock> blocks = new ArrayList<>();
      for (NaivePytorch.Piece piece : seg.pieces) {
        if (piece.mapped) {
          blocks.add(
              new SnapshotBlock(
                  (seg.number + 1) * SPACE + piece.offset,
                  piece.size,
                  piece.requested,
                  piece.used ? BlockState.ACTIVE : BlockState.INACTIVE,
                  StackTable.NONE));
        } else {
          addSegment(segments, seg, blocks);
          blocks = new ArrayList<>();
        }
      }
      addSegment(segments, seg, blocks);
    }
    return new DeviceSnapshot(0, segments, events.build(), StackTable.builder().build(), settings);
  }

  private static void addSegment(
      List<SnapshotSegment> segments, NaivePytorch.Seg seg, List<SnapshotBlock> blocks) {
    if (!blocks.isEmpty()) {
      segments.add(
          new SnapshotSegment(
              blocks.getFirst().address(),
              blocks.stream().mapToLong(SnapshotBlock::bytes).sum(),
              new SegmentLane(seg.stream, poolId(seg.pool), seg.small),
              seg.page > 0,
              StackTable.NONE,
              blocks));
    }
  }
}
