package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import org.junit.jupiter.api.Test;

class ExpandableStartsTest {

  private static SegmentLane lane(long stream, long pool, boolean isSmall) {
    return new SegmentLane(stream, new PoolId(0, pool), isSmall);
  }

  private final ExpandableStarts starts = new ExpandableStarts();

  @Test
  void starts_lowerRangeGetsMemoryLater_isTheLowest() {
    starts.map(lane(0, 0, false), 1020, 20);
    starts.map(lane(0, 0, false), 1000, 20);
    assertThat(starts.starts()).containsExactly(1000L);
  }

  @Test
  void starts_segmentWithoutMemoryEnds_hasTheNextOne() {
    starts.map(lane(0, 0, true), 1000, 2);
    starts.map(lane(0, 0, true), 1002, 2);
    starts.unmap(1002, 2);
    starts.map(lane(0, 0, true), 1002, 2);
    starts.unmap(1000, 4);
    starts.map(lane(0, 0, true), 5000, 2);
    assertThat(starts.starts()).containsExactlyInAnyOrder(1000L, 5000L);
  }

  @Test
  void starts_otherStreamPoolOrKind_areOtherSegments() {
    starts.map(lane(0, 0, true), 1000, 2);
    starts.map(lane(1, 0, true), 2000, 2);
    starts.map(lane(0, 1, true), 3000, 2);
    starts.map(lane(0, 0, false), 4000, 20);
    assertThat(starts.starts()).containsExactlyInAnyOrder(1000L, 2000L, 3000L, 4000L);
  }

  @Test
  void unmap_ofAnUnknownRange_changesNothing() {
    starts.unmap(500, 2);
    starts.map(lane(0, 0, true), 1000, 2);
    assertThat(starts.starts()).containsExactly(1000L);
  }
}
