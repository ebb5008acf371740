package dev.stowage.trace.export;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.pytorch.OlderBlock;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotFrame;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.replay.PytorchRecording;
import java.util.List;

/** The stacks and pools of the allocations of a snapshot, in the order of the allocations. */
final class RecordedOrigins {

  private final SnapshotHistory history;
  private final PytorchRecording recording;
  private int next;

  RecordedOrigins(PytorchRecording recording) {
    this.recording = recording;
    history = recording.history();
  }

  /**
   * The origin of an allocation.
   *
   * @param isOlder true if the allocation is older than the recording
   * @param pool the pool
   * @param frames the stack, the innermost frame first
   */
  record Origin(boolean isOlder, PoolId pool, List<SnapshotFrame> frames) {}

  /** {@return the origin of an allocation; called for ascending numbers} */
  Origin of(AllocationEvent.Allocate event) {
    int number = Integer.parseInt(event.id());
    if (number < history.older().size()) {
      OlderBlock block = history.older().get(number);
      return new Origin(true, block.pool(), frames(block.stack()));
    }
    SnapshotEvents events = history.device().events();
    while (!isRequest(events.action(next)) || history.allocation(next) != number) {
      next++;
    }
    return new Origin(false, recording.poolId(next), frames(events.stack(next++)));
  }

  private static boolean isRequest(SnapshotAction action) {
    return action == SnapshotAction.ALLOC || action == SnapshotAction.OOM;
  }

  private List<SnapshotFrame> frames(int stack) {
    return history.device().stacks().frames(stack);
  }
}
