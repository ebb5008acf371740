package dev.stowage.trace.replay;

import static dev.stowage.trace.replay.PytorchSettings.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {

  private static final PytorchSettings DEFAULTS = PytorchSettings.defaults();
  private static final SegmentLane LARGE = new SegmentLane(0, PoolId.SHARED, false);
  private static final SegmentLane SMALL = new SegmentLane(0, PoolId.SHARED, true);

  /** {@return a segment with blocks in use (positive bytes) and free ones (negative bytes)} */
  private static SnapshotSegment segment(SegmentLane lane, boolean isExpandable, long... blocks) {
    List<SnapshotBlock> tiles = new ArrayList<>();
    long end = 0;
    for (long block : blocks) {
      long bytes = Math.abs(block);
      tiles.add(
          new SnapshotBlock(
              end,
              bytes,
              bytes,
              block > 0 ? BlockState.ACTIVE : BlockState.INACTIVE,
              StackTable.NONE));
      end += bytes;
    }
    return new SnapshotSegment(0, end, lane, isExpandable, StackTable.NONE, tiles);
  }

  /*
   * | 448 in use          | 64 |   | 96 in use | 64 | 96 in use |   | 128 |   | ½ | ½ | 1 |
   */
  @Test
  void of_segmentsWithHoles_releasesTheWholeOneAndReusesPages() {
    HeldMemory memory =
        HeldMemory.of(
            List.of(
                segment(LARGE, false, 448 * MIB, -64 * MIB),
                segment(LARGE, false, 96 * MIB, -64 * MIB, 96 * MIB),
                segment(LARGE, false, -128 * MIB),
                segment(SMALL, false, MIB / 2, -MIB / 2, MIB)),
            DEFAULTS);
    assertThat(memory)
        .isEqualTo(
            new HeldMemory(898 * MIB, 256 * MIB + MIB / 2, 128 * MIB, (128 + 3 * 20 * 2) * MIB));
    assertThat(memory.inUseBytes()).isEqualTo(641 * MIB + MIB / 2);
  }

  /** Pages: in use, in use and free, free, free and in use. */
  @Test
  void of_expandableSegment_releasesItsFreePages() {
    assertThat(
            HeldMemory.of(List.of(segment(LARGE, true, 30 * MIB, -40 * MIB, 10 * MIB)), DEFAULTS))
        .isEqualTo(new HeldMemory(80 * MIB, 40 * MIB, 20 * MIB, 20 * MIB));
    assertThat(HeldMemory.of(List.of(segment(LARGE, true, MIB, -2 * MIB, 37 * MIB)), DEFAULTS))
        .isEqualTo(new HeldMemory(40 * MIB, 2 * MIB, 0, 0));
  }

  @Test
  void of_privatePool_isCachedOnly() {
    SegmentLane graph = new SegmentLane(0, new PoolId(1, 0), false);
    SegmentLane other = new SegmentLane(7, PoolId.SHARED, false);
    assertThat(
            HeldMemory.of(
                List.of(
                    segment(graph, false, -100 * MIB), segment(other, false, 10 * MIB, -8 * MIB)),
                DEFAULTS))
        .isEqualTo(new HeldMemory(118 * MIB, 108 * MIB, 0, 0));
  }

  @Test
  void of_noSegment_isNothing() {
    assertThat(HeldMemory.of(List.of(), DEFAULTS)).isEqualTo(new HeldMemory(0, 0, 0, 0));
  }
}
