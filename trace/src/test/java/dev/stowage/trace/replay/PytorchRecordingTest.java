package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recordings of the model, whose first part is not recorded, are replayed at the same addresses.
 */
class PytorchRecordingTest {

  private static final long MIB = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(400);
  }

  private static long bytes(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(2000);
      case 1 -> 1 + random.nextInt((int) (2 * MIB));
      case 2 -> (1 + random.nextInt(60)) * MIB / 2;
      default -> 1 + random.nextLong(40 * MIB);
    };
  }

  /** A recording, and the blocks in use before its first event, by address. */
  private record Sample(PytorchRecording recording, Map<Long, Long> blockBytes) {

    Map<Long, Long> derivedBytes() {
      Map<Long, Long> derived = new TreeMap<>();
      for (HeldSegment segment : recording.held()) {
        segment.blocks().forEach(block -> derived.put(block.address(), block.bytes()));
      }
      return derived;
    }
  }

  private static Sample sample(long seed) {
    return sample(seed, false);
  }

  private static Sample sample(long seed, boolean expandable) {
    Random random = new Random(seed);
    RecordedRun run = new RecordedRun();
    run.model.expandable = expandable;
    int streams = 1 + random.nextInt(2);
    int pools = 1 + random.nextInt(2);
    int before = random.nextInt(150);
    int frees = 25 + random.nextInt(35);
    boolean empties = random.nextBoolean();
    Map<Long, Long> blockBytes = Map.of();
    for (int i = 0; i < before + 150; i++) {
      if (i == before) {
        run.events = SnapshotEvents.builder();
        blockBytes = run.blockBytes();
      }
      if (!run.live.isEmpty() && random.nextInt(100) < frees) {
        run.free(random.nextInt(run.live.size()));
      } else if (empties && random.nextInt(40) == 0) {
        run.emptyCache();
      } else {
        run.allocate(bytes(random), random.nextInt(streams), random.nextInt(pools));
      }
    }
    SnapshotSettings settings =
        expandable
            ? SnapshotSettings.of(Map.of("expandable_segments", true))
            : SnapshotSettings.none();
    PytorchRecording recording = PytorchRecording.of(SnapshotHistory.of(run.snapshot(settings)));
    return new Sample(recording, blockBytes);
  }

  /** Almost all recordings determine the rests of their blocks, such as those with these seeds. */
  @ParameterizedTest
  @ValueSource(longs = {0, 100, 200, 300})
  void replay_ofUsualRecordings_placesAllocationsAtTheirAddresses(long first) {
    for (long seed = first; seed < first + 100; seed++) {
      assertThat(moved(sample(seed).recording())).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void held_ofAnyRecording_isTheInitialStateExceptForRests(long seed) {
    Sample sample = sample(seed);
    assertThat(sample.recording().contradictions()).isZero();
    Map<Long, Long> derived = sample.derivedBytes();
    assertThat(derived.keySet()).isEqualTo(sample.blockBytes().keySet());
    derived.forEach((address, bytes) ->
        assertThat(sample.blockBytes().getOrDefault(address, -1L) - bytes).isBetween(0L, MIB));
    if (derived.equals(sample.blockBytes())) {
      assertThat(moved(sample.recording())).isEmpty();
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void replay_ofExpandableSegments_placesAllocationsAtTheirAddresses(long seed) {
    Sample sample = sample(seed, true);
    assertThat(sample.recording().contradictions()).isZero();
    assertThat(sample.derivedBytes()).isEqualTo(sample.blockBytes());
    assertThat(moved(sample.recording())).isEmpty();
  }

  /** {@return the events whose allocation does not have its recorded address in a replay} */
  private static List<Integer> moved(PytorchRecording recording) {
    SnapshotHistory history = recording.history();
    SnapshotEvents events = history.device().events();
    SimulatedAllocator allocator = PytorchRules.asRecorded().start(Optional.of(recording));
    long[] addresses = new long[history.allocationCount()];
    for (int i = 0; i < history.older().size(); i++) {
      addresses[i] = history.older().get(i).address();
    }
    List<Integer> moved = new ArrayList<>();
    for (int event = 0; event < events.count(); event++) {
      int number = history.allocation(event);
      switch (events.action(event)) {
        case ALLOC -> {
          addresses[number] =
              allocator.allocate(events.bytes(event), events.stream(event), recording.pool(event));
          if (addresses[number] != events.address(event)) {
            moved.add(event);
          }
        }
        case FREE_COMPLETED -> allocator.free(addresses[number], events.stream(event));
        default -> allocator.noteRecorded(recording, event);
      }
    }
    return moved;
  }

  @Test
  void of_eventsThatContradictTheSegments_countsThem() {
    SnapshotEvents events =
        SnapshotEvents.builder()
            .add(SnapshotAction.ALLOC, 512, 100, 0, PoolId.SHARED, 0, StackTable.NONE)
            .add(SnapshotAction.FREE_COMPLETED, 9 * MIB, 100, 0, PoolId.SHARED, 0, StackTable.NONE)
            .build();
    DeviceSnapshot device =
        new DeviceSnapshot(
            0, List.of(), events, StackTable.builder().build(), SnapshotSettings.none());
    PytorchRecording recording = PytorchRecording.of(SnapshotHistory.of(device));
    assertThat(recording.contradictions()).isEqualTo(2);
  }

  @Test
  void settings_ofASnapshot_areThoseInEffect() {
    Map<String, Object> values =
        Map.of(
            "PYTORCH_CUDA_ALLOC_CONF",
            "max_non_split_rounding_mb:40,max_split_size_mb:64",
            "max_split_size",
            128 * MIB,
            "garbage_collection_threshold",
            0.5,
            "expandable_segments",
            true,
            "roundup_power2_divisions",
            Map.of("1", 0L, "2", 4L));
    DeviceSnapshot device =
        new DeviceSnapshot(
            0,
            List.of(),
            SnapshotEvents.builder().build(),
            StackTable.builder().build(),
            SnapshotSettings.of(values));
    assertThat(PytorchRecording.of(SnapshotHistory.of(device)).settings())
        .hasToString(
            "max_split_size_mb:128,max_non_split_rounding_mb:40,"
                + "roundup_power2_divisions:[1:0,2:4,>:0],garbage_collection_threshold:0.5,"
                + "expandable_segments:True");
  }
}
