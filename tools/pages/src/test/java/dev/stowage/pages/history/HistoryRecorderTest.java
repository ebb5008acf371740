package dev.stowage.pages.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.StackTable;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.ReservedPart;
import dev.stowage.trace.replay.TraceReplay;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HistoryRecorderTest {

  private static final long MIB = 1 << 20;

  private static SnapshotHistory history(SnapshotEvents events) {
    return SnapshotHistory.of(
        new DeviceSnapshot(
            0, List.of(), events, StackTable.builder().build(), SnapshotSettings.none()));
  }

  /** The program frees 0 before 1 is allocated, but queued work uses it until after that. */
  @Test
  void history_freeThatWaits_isAPendingFree() {
    SnapshotEvents events =
        SnapshotEvents.builder()
            .add(SnapshotAction.ALLOC, MIB, 12 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE)
            .add(SnapshotAction.FREE_REQUESTED, MIB, 12 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE)
            .add(SnapshotAction.ALLOC, 64 * MIB, 12 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE)
            .add(SnapshotAction.FREE_COMPLETED, MIB, 12 * MIB, 0, PoolId.SHARED, 0, StackTable.NONE)
            .build();
    HistoryRecorder recorder = new HistoryRecorder();
    TraceReplay replay = new TraceReplay(PytorchRules.asRecorded(), recorder);
    EventConsumer recording = recorder.recording(replay);
    recording.snapshot(history(events));
    recording.accept(new AllocationEvent.Allocate("0", 12 * MIB, 0, 0, List.of()));
    recording.accept(new AllocationEvent.Allocate("1", 12 * MIB, 0, 0, List.of()));
    recording.accept(new AllocationEvent.Free("0", 0, 0));
    ReplayHistory history = recorder.history();

    assertThat(history.drawn().chunks())
        .extracting(PlacedChunk::firstEvent, PlacedChunk::endEvent)
        .containsExactly(tuple(1L, 3L), tuple(2L, 4L));
    assertThat(history.parts().steps())
        .extracting(Steps.Step::value)
        .extracting(
            PartsAt::event,
            parts -> parts.bytes().requestedBytes(),
            parts -> parts.bytes().bytes(ReservedPart.PENDING_FREES),
            parts -> parts.bytes().bytes(ReservedPart.KEPT_SEGMENTS))
        .containsExactly(
            tuple(0L, 0L, 0L, 0L),
            tuple(1L, 0L, 12 * MIB, 0L),
            tuple(2L, 12 * MIB, 12 * MIB, 0L),
            tuple(3L, 12 * MIB, 0L, 12 * MIB));
  }
}
