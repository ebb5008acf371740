package dev.stowage.trace.replay;

import static dev.stowage.trace.replay.PytorchSettings.MIB;

import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of PyTorch's allocator before the first event of a recording. */
final class InitialState {

  /*
   * The segments of a snapshot are the state after the last event. From there, each event is taken
   * back, the last one first. An event has the requested bytes of a block, not the bytes of the block:
   * a large block may have a rest of up to 1 MiB that was not split off. Such a rest is recognized,
   * because no free block of a large segment has so few bytes.
   *
   *   | in use | free | in use |         after the free of a block with an address and a size
   *   | in use |free|block|rest| in use |  before it: the rest belongs to the block
   *
   * Events that contradict the state, as in a recording that has lost events, are counted and leave the
   * state as it is.
   */

  private static final long LARGEST_REST = MIB;

  /** The segment of a piece; all expandable ranges of a lane have the same segment. */
  private record Owner(long start, SegmentLane lane, boolean isExpandable) {}

  /** A range that is in use or free. */
  private static final class Piece {

    final Owner owner;
    long address;
    long end;
    boolean isUsed;
    long requestedBytes;

    Piece(Owner owner, long address, long end) {
      this.owner = owner;
      this.address = address;
      this.end = end;
    }
  }

  private final SnapshotEvents events;
  private final PytorchSettings settings;
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();
  private final Map<SegmentLane, Owner> expandable = new HashMap<>();
  private long contradictions;

  InitialState(DeviceSnapshot device, PytorchSettings settings) {
    events = device.events();
    this.settings = settings;
    device.segments().forEach(this::add);
    for (int event = events.count() - 1; event >= 0; event--) {
      undo(event);
    }
    assignRests();
  }

  private void add(SnapshotSegment segment) {
    Owner owner = owner(segment.address(), segment.lane(), segment.isExpandable());
    long end = segment.address();
    for (SnapshotBlock block : segment.blocks()) {
      Piece piece = new Piece(owner, block.address(), block.address() + block.bytes());
      piece.isUsed = block.state() != BlockState.INACTIVE;
      piece.requestedBytes = block.requestedBytes();
      if (piece.address < end || piece.end <= piece.address || hasOverlap(piece)) {
        contradictions++;
        continue;
      }
      pieces.put(piece.address, piece);
      end = piece.end;
    }
  }

  private boolean hasOverlap(Piece piece) {
    Map.Entry<Long, Piece> below = pieces.lowerEntry(piece.end);
    return below != null && below.getValue().end > piece.address;
  }

  private Owner owner(long start, SegmentLane lane, boolean isExpandable) {
    return isExpandable
        ? expandable.computeIfAbsent(lane, key -> new Owner(0, key, true))
        : new Owner(start, lane, false);
  }

  private void undo(int event) {
    long address = events.address(event);
    long bytes = events.bytes(event);
    switch (events.action(event)) {
      case ALLOC -> undoAllocation(address);
      case FREE_COMPLETED -> undoFree(address, bytes);
      case SEGMENT_ALLOC, SEGMENT_MAP -> removeFree(address, address + bytes);
      case SEGMENT_FREE -> addFree(event, bytes == SegmentSizes.SMALL, false);
      case SEGMENT_UNMAP -> addFree(event, isSmallRange(address, bytes), true);
      default -> {}
    }
  }

  private void undoAllocation(long address) {
    Piece piece = pieces.get(address);
    if (piece == null || !piece.isUsed) {
      contradictions++;
      return;
    }
    piece.isUsed = false;
    mergeFree(piece);
  }

  private void mergeFree(Piece piece) {
    Map.Entry<Long, Piece> below = pieces.lowerEntry(piece.address);
    if (below != null && canMerge(below.getValue(), piece)) {
      pieces.remove(piece.address);
      piece.address = below.getValue().address;
      pieces.put(piece.address, piece);
    }
    Piece above = pieces.get(piece.end);
    if (above != null && canMerge(piece, above)) {
      pieces.remove(above.address);
      piece.end = above.end;
    }
  }

  private static boolean canMerge(Piece lower, Piece upper) {
    return !lower.isUsed
        && !upper.isUsed
        && lower.end == upper.address
        && lower.owner.equals(upper.owner);
  }

  private void undoFree(long address, long bytes) {
    long blockBytes = settings.blockBytes(Math.max(1, bytes));
    Map.Entry<Long, Piece> entry = pieces.floorEntry(address);
    if (entry == null || entry.getValue().isUsed || blockBytes > entry.getValue().end - address) {
      contradictions++;
      return;
    }
    Piece free = entry.getValue();
    if (address > free.address) {
      Piece block = new Piece(free.owner, address, free.end);
      free.end = address;
      pieces.put(address, block);
      assignRest(free);
      free = block;
    }
    long end = address + blockBytes;
    if (free.end - end > restBytes(free.owner, blockBytes)) {
      pieces.put(end, new Piece(free.owner, end, free.end));
      free.end = end;
    }
    free.isUsed = true;
    free.requestedBytes = bytes;
  }

  /** {@return the most bytes that are not split off from a block} */
  private long restBytes(Owner owner, long blockBytes) {
    if (owner.lane().isSmall() || owner.isExpandable()) {
      return 0;
    }
    return blockBytes < settings.maxSplitBytes() ? LARGEST_REST : Long.MAX_VALUE;
  }

  /** Adds a free range to the block below it, if it is too small to be a free block. */
  private void assignRest(Piece free) {
    if (free.isUsed
        || free.owner.lane().isSmall()
        || free.owner.isExpandable()
        || free.end - free.address > LARGEST_REST) {
      return;
    }
    Map.Entry<Long, Piece> below = pieces.lowerEntry(free.address);
    if (below != null
        && below.getValue().isUsed
        && below.getValue().end == free.address
        && below.getValue().owner.equals(free.owner)) {
      below.getValue().end = free.end;
      pieces.remove(free.address);
    }
  }

  private void assignRests() {
    new ArrayList<>(pieces.values()).forEach(this::assignRest);
  }

  /** Takes back that a range came from the device. */
  private void removeFree(long address, long end) {
    Map.Entry<Long, Piece> entry = pieces.floorEntry(address);
    if (entry == null || entry.getValue().isUsed || entry.getValue().end < end) {
      contradictions++;
      return;
    }
    Piece piece = entry.getValue();
    if (end < piece.end) {
      pieces.put(end, new Piece(piece.owner, end, piece.end));
    }
    if (piece.address < address) {
      piece.end = address;
    } else {
      pieces.remove(address);
    }
  }

  /** Takes back that a free range was returned to the device. */
  private void addFree(int event, boolean isSmall, boolean isExpandable) {
    long address = events.address(event);
    SegmentLane lane = new SegmentLane(events.stream(event), events.pool(event), isSmall);
    Owner owner = owner(address, lane, isExpandable);
    Piece piece = new Piece(owner, address, address + events.bytes(event));
    if (piece.end <= piece.address || hasOverlap(piece)) {
      contradictions++;
      return;
    }
    pieces.put(address, piece);
    mergeFree(piece);
  }

  private boolean isSmallRange(long address, long bytes) {
    Piece above = pieces.get(address + bytes);
    if (above != null && above.owner.isExpandable()) {
      return above.owner.lane().isSmall();
    }
    Map.Entry<Long, Piece> below = pieces.lowerEntry(address);
    if (below != null && below.getValue().owner.isExpandable() && below.getValue().end == address) {
      return below.getValue().owner.lane().isSmall();
    }
    return bytes % settings.largeSegmentBytes() != 0;
  }

  long contradictions() {
    return contradictions;
  }

  /** {@return the segments, by ascending address} */
  List<HeldSegment> segments() {
    List<HeldSegment> segments = new ArrayList<>();
    List<HeldSegment.HeldBlock> used = new ArrayList<>();
    @Nullable Piece first = null;
    @Nullable Piece last = null;
    for (Piece piece : pieces.values()) {
      if (last != null
          && first != null
          && (last.end != piece.address || !last.owner.equals(piece.owner))) {
        segments.add(segment(first, last.end, used));
        used.clear();
        first = null;
      }
      first = Objects.requireNonNullElse(first, piece);
      last = piece;
      if (piece.isUsed) {
        used.add(
            new HeldSegment.HeldBlock(
                piece.address, piece.end - piece.address, piece.requestedBytes));
      }
    }
    if (first != null && last != null) {
      segments.add(segment(first, last.end, used));
    }
    return segments;
  }

  private static HeldSegment segment(Piece first, long end, List<HeldSegment.HeldBlock> used) {
    Owner owner = first.owner;
    return new HeldSegment(
        first.address, end - first.address, owner.lane(), owner.isExpandable(), used);
  }
}
