package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sets up the blocks of the segments that PyTorch's allocator holds from the start. */
final class HeldBlocks {

  /** The memory pool of a kind of requests. */
  @FunctionalInterface
  interface Pools {
    BlockPool get(long pool, boolean isSmall);
  }

  private static final long LARGEST_SPAN = 1L << 44;

  private final SegmentSource device;
  private final PytorchSettings settings;

  /** The topmost block of the expandable segment of each lane. */
  private final Map<SegmentLane, Block> tops = new HashMap<>();

  HeldBlocks(SegmentSource device, PytorchSettings settings) {
    this.device = device;
    this.settings = settings;
  }

  /** Adds segments by ascending address, and reports the blocks in use. */
  void add(List<HeldSegment> held, Pools pools, Consumer<Block> usedBlocks) {
    for (HeldSegment segment : held) {
      StreamBlocks home = blocksOf(segment.lane(), pools);
      if (segment.isExpandable()) {
        addExpandable(segment, home, usedBlocks);
      } else {
        Segment own = device.addHeld(segment.address(), segment.bytes(), 0);
        device.hold(own, segment.bytes());
        fill(own, home, segment, null, usedBlocks);
      }
    }
  }

  private static StreamBlocks blocksOf(SegmentLane lane, Pools pools) {
    return pools.get(PoolNumber.of(lane.pool()), lane.isSmall()).of(lane.stream());
  }

  private void addExpandable(HeldSegment held, StreamBlocks home, Consumer<Block> usedBlocks) {
    SegmentLane lane = held.lane();
    Block top = tops.get(lane);
    if (top == null || held.address() + held.bytes() > top.end()) {
      long page = lane.isSmall() ? 2 * PytorchSettings.MIB : settings.largeSegmentBytes();
      long start = device.startOf(held.address(), page);
      long end = held.address() + held.bytes();
      long span = Math.max(device.spanFrom(start, LARGEST_SPAN, page), end - start);
      Segment segment = device.addHeld(start, span, page);
      top = new Block(segment, home, segment.address, segment.spanBytes);
      top.isMapped = false;
    } else {
      home.remove(top);
    }
    // The unmapped top is cut at the start of the mapped range, and its rest is the new top.
    Block below = top.below;
    long gap = held.address() - top.address;
    long rest = top.end() - held.address() - held.bytes();
    if (gap > 0) {
      top.bytes = gap;
      home.add(top);
      below = top;
    } else {
      top.unlink();
    }
    device.hold(top.segment, held.bytes());
    Block last = fill(top.segment, home, held, below, usedBlocks);
    Block unmapped = new Block(top.segment, home, held.address() + held.bytes(), rest);
    unmapped.isMapped = false;
    if (rest > 0) {
      last.linkAbove(unmapped);
      home.add(unmapped);
      tops.put(lane, unmapped);
    } else {
      tops.remove(lane);
    }
  }

  /** Adds the blocks of a range above a block of its segment, and {@return the last one}. */
  private static Block fill(
      Segment segment,
      StreamBlocks home,
      HeldSegment held,
      @Nullable Block below,
      Consumer<Block> usedBlocks) {
    List<Block> free = new ArrayList<>();
    Block last = below;
    long end = held.address();
    for (HeldSegment.HeldBlock used : held.blocks()) {
      if (used.address() > end) {
        last = linked(new Block(segment, home, end, used.address() - end), last);
        free.add(last);
      }
      Block block = new Block(segment, home, used.address(), used.bytes());
      block.requestedBytes = used.requestedBytes();
      last = linked(block, last);
      usedBlocks.accept(block);
      end = block.end();
    }
    long rest = held.address() + held.bytes() - end;
    if (rest > 0 || last == null) {
      last = linked(new Block(segment, home, end, rest), last);
      free.add(last);
    }
    free.forEach(home::add); // now each one is a part of its segment, or all of it
    return last;
  }

  private static Block linked(Block block, @Nullable Block below) {
    if (below != null) {
      below.linkAbove(block);
    }
    return block;
  }
}
