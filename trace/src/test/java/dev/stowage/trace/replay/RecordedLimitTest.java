package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.StackTable;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of the model with a limit, whose recordings do not have it. */
class RecordedLimitTest {

  private static final long MIB = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(400);
  }

  private static long bytes(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> 1 + random.nextInt(2000);
      case 1 -> 1 + random.nextInt((int) (2 * MIB));
      default -> 1 + random.nextLong(30 * MIB);
    };
  }

  private static PytorchRecording recording(RecordedRun run, boolean expandable) {
    SnapshotSettings settings =
        expandable
            ? SnapshotSettings.of(Map.of("expandable_segments", true))
            : SnapshotSettings.none();
    return PytorchRecording.of(SnapshotHistory.of(run.snapshot(settings)));
  }

  private static TraceReplay replay(PytorchRecording recording) {
    TraceReplay replay = new TraceReplay(PytorchRules.asRecorded(), PlacementConsumer.none());
    replay.start(recording);
    recording.passEvents(replay);
    return replay;
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void limit_ofAnyRunWithFailures_containsTheLimitAndReproducesThem(long seed) {
    Random random = new Random(seed);
    RecordedRun run = new RecordedRun();
    run.model.expandable = random.nextBoolean();
    long limit = 40 * MIB + random.nextLong(160 * MIB);
    run.model.limit = limit;
    run.model.released = run::recordSegments;
    long deviceBytes = random.nextBoolean() ? limit : limit + 500 * MIB;
    boolean knowsDevice = random.nextInt(3) > 0;
    if (knowsDevice) {
      run.deviceFree = reserved -> Math.max(0, deviceBytes - reserved);
    }
    int streams = 1 + random.nextInt(2);
    int pools = 1 + random.nextInt(2);
    for (int i = 0; i < 200; i++) {
      if (!run.live.isEmpty() && random.nextInt(100) < 40) {
        run.free(random.nextInt(run.live.size()));
      } else {
        run.allocate(bytes(random), random.nextInt(streams), random.nextInt(pools));
      }
    }
    PytorchRecording recording = recording(run, run.model.expandable);
    SnapshotEvents events = recording.history().device().events();
    long failures = 0;
    for (int event = 0; event < events.count(); event++) {
      failures += events.action(event) == SnapshotAction.OOM ? 1 : 0;
    }

    TraceReplay replay = replay(recording);

    assertThat(replay.recordedAddresses()).hasValue(recording.history().recordedCount());
    assertThat(replay.recordedFailures())
        .isEqualTo(new ReplayResult.RecordedFailures(failures, failures, 0));
    assertThat(replay.failures()).isEqualTo(failures);
    assertThat(recording.limit().isPresent()).isEqualTo(failures > 0);
    if (failures > 0) {
      RecordedLimit range = recording.limit().orElseThrow();
      assertThat(limit).isBetween(range.lowBytes(), range.highBytes());
      assertThat(range.isOfProgram()).isEqualTo(knowsDevice && deviceBytes > limit);
      // Pages may exceed the limit, but not the memory of a device.
      if (knowsDevice && deviceBytes == limit && !run.model.expandable) {
        assertThat(range.isOfDevice()).isTrue();
        assertThat(range.bytes()).isEqualTo(limit);
      }
    }
  }

  /** The device had more when the allocator held more: another program took memory since. */
  @Test
  void limit_ofAFailureBelowThePeak_isNotPossible() {
    RecordedRun run = new RecordedRun();
    run.allocate(60 * MIB, 0, 0);
    run.free(0);
    run.emptyCache();
    run.model.limit = 20 * MIB;
    run.deviceFree = reserved -> 20 * MIB;
    run.allocate(30 * MIB, 0, 0);
    PytorchRecording recording = recording(run, false);

    RecordedLimit limit = recording.limit().orElseThrow();
    assertThat(limit).isEqualTo(new RecordedLimit(60 * MIB, 30 * MIB - 1, 20 * MIB));
    assertThat(limit.isPossible()).isFalse();
    TraceReplay replay = replay(recording);
    assertThat(replay.recordedFailures()).isEqualTo(new ReplayResult.RecordedFailures(1, 0, 0));
    assertThat(replay.result().firstFailure().orElseThrow().verdict())
        .isEqualTo(OutOfMemoryVerdict.REFUSED);
    assertThat(Confidence.of(replay, PytorchRules.asRecorded()).reasons())
        .containsExactly(
            "1 request failed in the recording for a reason that the recording does not have.");
  }

  /** PyTorch records the frees that a retry awaits before the failure. */
  @Test
  void verdict_ofARequestThatAFreeBlockFits_isTransient() {
    RecordedRun run = new RecordedRun();
    run.allocate(60 * MIB, 0, 0);
    run.free(0);
    run.events.add(SnapshotAction.OOM, 0, 60 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE);
    PytorchRecording recording = recording(run, false);

    TraceReplay replay = replay(recording);
    assertThat(replay.recordedFailures()).isEqualTo(new ReplayResult.RecordedFailures(1, 1, 0));
    assertThat(replay.result().firstFailure().orElseThrow().verdict())
        .isEqualTo(OutOfMemoryVerdict.TRANSIENT);
  }

  @Test
  void verdict_ofALimitThatTheProgramSet_isLimit() {
    RecordedRun run = new RecordedRun();
    run.model.limit = 40 * MIB;
    run.deviceFree = reserved -> 900 * MIB;
    run.allocate(30 * MIB, 0, 0);
    run.allocate(30 * MIB, 0, 0);

    ReplayResult.Failure failure =
        replay(recording(run, false)).result().firstFailure().orElseThrow();
    assertThat(failure.verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
    assertThat(failure.isRecorded()).isTrue();
    OutOfMemoryNumbers numbers = failure.numbers();
    assertThat(numbers.get(Quantity.LIMIT)).hasValue(30 * MIB);
  }
}
