package dev.stowage.trace.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holders and differences are those of a map of the live allocations. */
class HoldersTest {

  private static final List<Grouping> GROUPINGS = List.of(Grouping.values());

  static LongStream seeds() {
    return Seeds.of(500);
  }

  private static TraceColumns columns(List<AllocationEvent> events) {
    TraceColumns columns = new TraceColumns();
    events.forEach(columns::accept);
    return columns;
  }

  private static String key(Grouping grouping, AllocationEvent.Allocate request) {
    List<String> frames = request.frames();
    return switch (grouping) {
      case LINE -> {
        String line = frames.isEmpty() ? "(no stack)" : frames.getFirst();
        for (int i = frames.size() - 1; i >= 0; i--) {
          if (frames.get(i).contains(" at model.py") || frames.get(i).contains(" at train.py")) {
            line = frames.get(i);
          }
        }
        yield line;
      }
      case STACK -> frames.isEmpty() ? "(no stack)" : String.join(" <- ", frames);
      case TAG -> request.tag().isEmpty() ? "(no tag)" : request.tag();
      case STREAM -> request.stream() < 0 ? "18446744073709551615" : "" + request.stream();
      case SIZE -> "" + request.bytes();
    };
  }

  /** {@return bytes and blocks of each key after some events} */
  private static Map<String, List<Long>> naive(
      List<AllocationEvent> events, long count, Grouping grouping) {
    Map<String, AllocationEvent.Allocate> live = new LinkedHashMap<>();
    for (AllocationEvent event : events.subList(0, (int) count)) {
      if (event instanceof AllocationEvent.Allocate request) {
        live.put(request.id(), request);
      } else {
        live.remove(event.id());
      }
    }
    Map<String, List<Long>> groups = new TreeMap<>();
    for (AllocationEvent.Allocate request : live.values()) {
      if (request.bytes() > 0) {
        groups.merge(
            key(grouping, request),
            List.of(request.bytes(), 1L),
            (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
      }
    }
    return groups;
  }

  private static long sum(Map<String, List<Long>> groups) {
    return groups.values().stream().mapToLong(List::getFirst).sum();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void holders_atAnyEvent_areTheLiveAllocations(long seed) {
    Random random = new Random(seed);
    List<AllocationEvent> events = RandomHistory.of(random);
    TraceColumns columns = columns(events);
    assertThat(columns.eventCount()).isEqualTo(events.size());
    long peak = 0;
    long peakEvent = 0;
    for (int event = 0; event <= events.size(); event++) {
      Grouping grouping = GROUPINGS.get(random.nextInt(GROUPINGS.size()));
      Map<String, List<Long>> expected = naive(events, event, grouping);
      Holders holders = Holders.of(columns, event, grouping);
      Map<String, List<Long>> actual = new TreeMap<>();
      holders
          .groups()
          .forEach(group -> actual.put(group.key(), List.of(group.bytes(), group.blocks())));
      assertThat(actual).isEqualTo(expected);
      assertThat(holders.groups()).isSortedAccordingTo(HolderGroup.LARGEST_FIRST);
      assertThat(holders.older()).isEmpty();
      assertThat(holders.bytes()).isEqualTo(sum(expected));
      if (sum(expected) > peak) {
        peak = sum(expected);
        peakEvent = event;
      }
    }
    assertThat(columns.peakBytes()).isEqualTo(peak);
    assertThat(columns.peakEvent()).isEqualTo(peakEvent);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void diff_ofAnyTwoHistories_hasTheGroupsOfBoth(long seed) {
    Random random = new Random(seed);
    List<AllocationEvent> a = RandomHistory.of(random);
    List<AllocationEvent> b = random.nextInt(4) == 0 ? a : RandomHistory.of(random);
    long eventA = random.nextInt(a.size() + 1);
    long eventB = random.nextInt(b.size() + 1);
    Grouping grouping = GROUPINGS.get(random.nextInt(GROUPINGS.size()));
    TraceDiff diff = TraceDiff.of(columns(a), eventA, columns(b), eventB, grouping);
    Map<String, List<Long>> left = naive(a, eventA, grouping);
    Map<String, List<Long>> right = naive(b, eventB, grouping);
    Map<String, List<Long>> actualLeft = new TreeMap<>();
    Map<String, List<Long>> actualRight = new TreeMap<>();
    List<String> order = new ArrayList<>();
    for (TraceDiff.Group group : diff.groups()) {
      if (group.blocksA() > 0) {
        actualLeft.put(group.key(), List.of(group.bytesA(), group.blocksA()));
      }
      if (group.blocksB() > 0) {
        actualRight.put(group.key(), List.of(group.bytesB(), group.blocksB()));
      }
      order.add(
          String.format(Locale.ROOT, "%020d", Long.MAX_VALUE - Math.abs(group.growthBytes())));
    }
    assertThat(actualLeft).isEqualTo(left);
    assertThat(actualRight).isEqualTo(right);
    assertThat(diff.groups()).extracting(TraceDiff.Group::key).doesNotHaveDuplicates();
    assertThat(order).isSorted();
    assertThat(diff.growthBytes()).isEqualTo(sum(right) - sum(left));
  }

  /** {@return columns with two older blocks, of which one has a stack, and further events} */
  private static TraceColumns older(AllocationEvent... events) {
    List<SnapshotBlock> blocks =
        List.of(
            new SnapshotBlock(0, 512, 512, BlockState.ACTIVE, StackTable.NONE),
            new SnapshotBlock(512, 1024, 1024, BlockState.ACTIVE, StackTable.NONE));
    SnapshotSegment segment =
        new SnapshotSegment(
            0, 1536, new SegmentLane(0, PoolId.SHARED, false), false, StackTable.NONE, blocks);
    TraceColumns columns = new TraceColumns();
    columns.snapshot(
        SnapshotHistory.of(
            new DeviceSnapshot(
                0,
                List.of(segment),
                SnapshotEvents.builder().build(),
                StackTable.builder().build(),
                SnapshotSettings.none())));
    columns.accept(new AllocationEvent.Allocate("0", 512, 0, 0, List.of("f at a.py:1")));
    columns.accept(new AllocationEvent.Allocate("1", 1024, 7, 0));
    List.of(events).forEach(columns::accept);
    return columns;
  }

  @Test
  void holders_ofOlderBlocks_areTheLinesOfTheirRequests() {
    TraceColumns columns =
        older(new AllocationEvent.Allocate("2", 256, 7, 0, List.of("f at a.py:1")));
    HolderGroup unknown = new HolderGroup(Grouping.OLDER, 1024, 1, List.of());
    assertThat(Holders.of(columns, 1, Grouping.LINE))
        .isEqualTo(
            new Holders(
                1792,
                3,
                Optional.of(unknown),
                List.of(new HolderGroup("f at a.py:1", 768, 2, List.of()))));
    assertThat(Holders.of(columns, 1, Grouping.STREAM))
        .isEqualTo(
            new Holders(
                1792,
                3,
                Optional.empty(),
                List.of(
                    new HolderGroup("7", 1280, 2, List.of()),
                    new HolderGroup("0", 512, 1, List.of()))));
  }

  @Test
  void holders_ofAStateWithoutEvents_areNotOlder() {
    assertThat(Holders.of(older(), 0, Grouping.LINE))
        .isEqualTo(
            new Holders(
                1536,
                2,
                Optional.empty(),
                List.of(
                    new HolderGroup(Grouping.NO_STACK, 1024, 1, List.of()),
                    new HolderGroup("f at a.py:1", 512, 1, List.of()))));
  }

  @Test
  void overflow_ofTheSumOfBytes_isNoted() {
    TraceColumns columns =
        columns(
            List.of(
                new AllocationEvent.Allocate("a", Long.MAX_VALUE, 0, 0),
                new AllocationEvent.Allocate("b", 1, 0, 0)));
    assertThat(columns.overflow()).hasValue(2);
    assertThat(columns(List.of(new AllocationEvent.Allocate("a", Long.MAX_VALUE, 0, 0))).overflow())
        .isEmpty();
  }

  @Test
  void hasStacksAndTags_ofRequestsWithoutThem_isFalse() {
    TraceColumns none = columns(List.of(new AllocationEvent.Allocate("a", 1, 0, 0)));
    assertThat(none.hasStacks()).isFalse();
    assertThat(none.hasTags()).isFalse();
    TraceColumns both =
        columns(List.of(new AllocationEvent.Allocate("a", 1, 0, 0, List.of("f"), "t")));
    assertThat(both.hasStacks()).isTrue();
    assertThat(both.hasTags()).isTrue();
  }
}
