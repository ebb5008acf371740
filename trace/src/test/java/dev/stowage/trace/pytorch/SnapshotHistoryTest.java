package dev.stowage.trace.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SnapshotHistoryTest {

  static LongStream seeds() {
    return Seeds.of(300);
  }

  private static SnapshotHistory history(
      SnapshotEvents.Builder events, SnapshotSegment... segments) {
    return SnapshotHistory.of(
        new DeviceSnapshot(
            0,
            List.of(segments),
            events.build(),
            StackTable.builder().build(),
            SnapshotSettings.none()));
  }

  private static SnapshotSegment segment(long address, SnapshotBlock... blocks) {
    long bytes = 0;
    for (SnapshotBlock block : blocks) {
      bytes += block.bytes();
    }
    return new SnapshotSegment(
        address,
        bytes,
        new SegmentLane(4, new PoolId(1, 0), false),
        false,
        StackTable.NONE,
        List.of(blocks));
  }

  private static SnapshotEvents.Builder add(
      SnapshotEvents.Builder events, SnapshotAction action, long address, long bytes) {
    return events.add(action, address, bytes, 3, PoolId.SHARED, 0, StackTable.NONE);
  }

  @Test
  void older_blocks_areFreedOnesAndThenActiveOnesWithoutAnEvent() {
    SnapshotEvents.Builder events = SnapshotEvents.builder();
    add(events, SnapshotAction.FREE_REQUESTED, 9000, 7);
    add(events, SnapshotAction.FREE_COMPLETED, 9000, 7);
    add(events, SnapshotAction.ALLOC, 1024, 100);
    add(events, SnapshotAction.FREE_COMPLETED, 4000, 8);
    // A free that does not complete: the block is active, and has no other event.
    add(events, SnapshotAction.FREE_REQUESTED, 1536, 40);

    SnapshotHistory history =
        history(
            events,
            segment(
                512,
                new SnapshotBlock(512, 512, 300, BlockState.INACTIVE, 0),
                new SnapshotBlock(1024, 512, 100, BlockState.ACTIVE, 0),
                new SnapshotBlock(1536, 512, 40, BlockState.PENDING_FREE, 0)),
            segment(0, new SnapshotBlock(0, 512, 200, BlockState.ACTIVE, 0)));

    assertThat(history.older())
        .containsExactly(
            new OlderBlock(9000, 7, OptionalLong.empty(), 3, PoolId.SHARED, 0),
            new OlderBlock(4000, 8, OptionalLong.empty(), 3, PoolId.SHARED, 0),
            new OlderBlock(0, 200, OptionalLong.of(512), 4, new PoolId(1, 0), 0),
            new OlderBlock(1536, 40, OptionalLong.of(512), 4, new PoolId(1, 0), 0));
    assertThat(history.olderBytes()).isEqualTo(255);
    assertThat(history.allocationCount()).isEqualTo(5);
    assertThat(numbers(history)).containsExactly(0, 0, 4, 1, 3);
  }

  @Test
  void allocation_atALiveAddress_endsTheOlderOne() {
    SnapshotEvents.Builder events = SnapshotEvents.builder();
    add(events, SnapshotAction.ALLOC, 512, 1);
    add(events, SnapshotAction.ALLOC, 512, 2);
    add(events, SnapshotAction.FREE_COMPLETED, 512, 2);
    add(events, SnapshotAction.FREE_COMPLETED, 512, 2);
    add(events, SnapshotAction.SEGMENT_FREE, 512, 2);

    SnapshotHistory history = history(events);

    assertThat(numbers(history))
        .containsExactly(0, 1, 1, SnapshotHistory.NONE, SnapshotHistory.NONE);
    assertThat(history.ended(0)).isEqualTo(SnapshotHistory.NONE);
    assertThat(history.ended(1)).isZero();
  }

  @Test
  void olderBytes_aboveTheLargestNumber_isTheLargestNumber() {
    SnapshotEvents.Builder events = SnapshotEvents.builder();
    add(events, SnapshotAction.FREE_COMPLETED, 512, Long.MAX_VALUE);
    add(events, SnapshotAction.FREE_COMPLETED, 1024, Long.MAX_VALUE);

    assertThat(history(events).olderBytes()).isEqualTo(Long.MAX_VALUE);
  }

  private static List<Integer> numbers(SnapshotHistory history) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < history.device().events().count(); i++) {
      numbers.add(history.allocation(i));
    }
    return numbers;
  }

  /** A run of an allocator whose recording starts late: the history has to find all of it. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyRecordedRun_isDerivedCompletely(long seed) {
    Random random = new Random(seed);
    int slots = 1 + random.nextInt(40);
    int steps = random.nextInt(400);
    int start = random.nextInt(steps + 1);
    long[] slotBytes = new long[slots];
    Map<Integer, Integer> live = new TreeMap<>();
    Map<Integer, Integer> olderSlots = new LinkedHashMap<>();
    List<Integer> expected = new ArrayList<>();
    Map<Integer, Integer> freedOlder = new LinkedHashMap<>();
    SnapshotEvents.Builder events = SnapshotEvents.builder();
    int names = 0;
    for (int step = 0; step < steps; step++) {
      if (step == start) {
        olderSlots.putAll(live);
      }
      int slot = random.nextInt(slots);
      boolean isAllocation = !live.containsKey(slot);
      if (isAllocation) {
        slotBytes[slot] = random.nextInt(512);
        live.put(slot, names++);
      }
      if (step >= start) {
        SnapshotAction action = isAllocation ? SnapshotAction.ALLOC : SnapshotAction.FREE_COMPLETED;
        add(events, action, 512L * slot, slotBytes[slot]);
        int name = live.getOrDefault(slot, -1);
        expected.add(name);
        if (!isAllocation && olderSlots.getOrDefault(slot, -2) == name) {
          freedOlder.put(slot, name);
        }
      }
      if (!isAllocation) {
        live.remove(slot);
      }
    }
    if (steps == start) {
      olderSlots.putAll(live);
    }
    SnapshotBlock[] blocks = new SnapshotBlock[slots];
    for (int slot = 0; slot < slots; slot++) {
      BlockState state = live.containsKey(slot) ? BlockState.ACTIVE : BlockState.INACTIVE;
      blocks[slot] = new SnapshotBlock(512L * slot, 512, slotBytes[slot], state, 0);
    }

    SnapshotHistory history = history(events, segment(0, blocks));

    List<Integer> olderNames = new ArrayList<>(freedOlder.values());
    olderSlots.forEach((slot, name) -> {
      if (!freedOlder.containsKey(slot)) {
        olderNames.add(name);
      }
    });
    assertThat(history.older()).hasSize(olderNames.size());
    Map<Integer, Integer> numberOfName = new HashMap<>();
    olderNames.forEach(name -> numberOfName.put(name, numberOfName.size()));
    List<Integer> expectedNumbers = new ArrayList<>();
    for (int name : expected) {
      expectedNumbers.add(numberOfName.computeIfAbsent(name, added -> numberOfName.size()));
    }
    assertThat(numbers(history)).isEqualTo(expectedNumbers);
    assertThat(history.allocationCount()).isEqualTo(numberOfName.size());
  }
}
