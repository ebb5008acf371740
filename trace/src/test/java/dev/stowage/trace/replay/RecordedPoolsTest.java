package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSettings;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recordings of the model whose events do not name their pools. */
class RecordedPoolsTest {

  private static final long MIB = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(200);
  }

  /** {@return a recording in which graphs are captured, each in a pool of its own} */
  private static PytorchRecording captures(long seed, boolean expandable, boolean destroys) {
    Random random = new Random(seed);
    RecordedRun run = new RecordedRun();
    run.hidesPools = true;
    run.model.expandable = expandable;
    for (long pool = 1; pool <= 4; pool++) {
      requests(run, 0, 0, random);
      run.emptyCache();
      requests(run, 1, pool, random);
      if (destroys && random.nextBoolean()) {
        freeAll(run, pool);
        run.model.destroyed.add(pool);
      }
    }
    requests(run, 0, 0, random);
    SnapshotSettings settings =
        expandable
            ? SnapshotSettings.of(Map.of("expandable_segments", true))
            : SnapshotSettings.none();
    return PytorchRecording.of(SnapshotHistory.of(run.snapshot(settings)));
  }

  private static void requests(RecordedRun run, long stream, long pool, Random random) {
    for (int i = 0; i < 20; i++) {
      if (random.nextInt(3) == 0 && !run.live.isEmpty()) {
        int index = random.nextInt(run.live.size());
        if (run.live.get(index).pool() == pool) {
          run.free(index);
        }
      } else {
        run.allocate(1 + random.nextLong(MIB << random.nextInt(6)), stream, pool);
      }
    }
  }

  private static void freeAll(RecordedRun run, long pool) {
    for (int i = run.live.size() - 1; i >= 0; i--) {
      if (run.live.get(i).pool() == pool) {
        run.free(i);
      }
    }
  }

  private static boolean hasAllAddresses(PytorchRecording recording) {
    TraceReplay replay = new TraceReplay(PytorchRules.asRecorded(), PlacementConsumer.none());
    replay.start(recording);
    recording.passEvents(replay);
    return replay.recordedAddresses().getAsLong() == recording.history().allocationCount();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void pool_ofSegmentsThatExistAtTheEnd_isKnown(long seed) {
    assertThat(hasAllAddresses(captures(seed, false, false))).isTrue();
    assertThat(hasAllAddresses(captures(seed, true, false))).isTrue();
  }

  /** Some recordings do not tell; most do. */
  @Test
  void pool_ofSegmentsThatWereReleased_isDerivedForMostRecordings() {
    long known =
        LongStream.range(0, 200)
            .filter(seed -> hasAllAddresses(captures(seed, false, true)))
            .count();
    assertThat(known).isGreaterThanOrEqualTo(190);
  }

  /** A garbage collection returns only some of the free segments, all of the default pool. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void pool_ofSegmentsThatWereCollected_isTheDefault(long seed) {
    Random random = new Random(seed);
    RecordedRun run = new RecordedRun();
    run.hidesPools = true;
    run.model.limit = 200 * MIB;
    run.model.threshold = 0.3;
    for (int i = 0; i < 200; i++) {
      if (random.nextInt(2) == 0 && !run.live.isEmpty()) {
        run.free(random.nextInt(run.live.size()));
      } else {
        run.allocate(1 + random.nextLong(MIB << random.nextInt(6)), 0, 0);
      }
    }
    SnapshotSettings settings = SnapshotSettings.of(Map.of("garbage_collection_threshold", 0.3));
    PytorchRecording recording = PytorchRecording.of(SnapshotHistory.of(run.snapshot(settings)));
    for (int event = 0; event < recording.history().device().events().count(); event++) {
      assertThat(recording.pool(event)).isEqualTo(PoolNumber.DEFAULT);
    }
  }
}
