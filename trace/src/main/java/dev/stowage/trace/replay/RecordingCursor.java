package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.OlderBlock;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import java.util.List;
import java.util.OptionalInt;

/**
 * The position of a replay in the recording of its history. It passes the events between
 * allocations and frees, which concern segments, to the allocator.
 */
final class RecordingCursor {

  private final PytorchRecording recording;
  private final SimulatedAllocator allocator;
  private final List<OlderBlock> older;
  private final SnapshotHistory history;
  private final SnapshotEvents events;
  private final PendingFrees pending;
  private int next;

  /**
   * @param pending gets each allocation that the program has freed and that work still uses
   */
  RecordingCursor(PytorchRecording recording, SimulatedAllocator allocator, PendingFrees pending) {
    this.recording = recording;
    this.allocator = allocator;
    this.pending = pending;
    history = recording.history();
    older = history.older();
    events = history.device().events();
    passOthers();
  }

  /**
   * {@return the address of an older block in use; {@link SimulatedAllocator#REFUSED} for others}
   */
  long olderAddress(int allocation) {
    if (allocation >= older.size()) {
      return SimulatedAllocator.REFUSED;
    }
    long address = older.get(allocation).address();
    return allocator.isInUse(address) ? address : SimulatedAllocator.REFUSED;
  }

  /** {@return the memory pool of the next allocation} */
  long pool(int allocation) {
    if (allocation < older.size()) {
      return PoolNumber.of(older.get(allocation).pool());
    }
    return next < events.count() ? recording.pool(next) : PoolNumber.DEFAULT;
  }

  /** {@return true if an allocation, which is the next one, has its recorded address} */
  boolean isRecordedAddress(int allocation, long address) {
    return allocation >= older.size()
        && next < events.count()
        && history.allocation(next) == allocation
        && events.address(next) == address;
  }

  /** Notes that the event of an allocation was replayed. */
  void allocated(int allocation) {
    if (allocation >= older.size()) {
      passUntil(SnapshotAction.ALLOC, allocation);
    }
  }

  /** Notes that a request that failed in the recording was replayed. */
  void failed(int allocation) {
    passUntil(SnapshotAction.OOM, allocation);
  }

  /** Notes that a free was replayed, unless the recording has an allocation in its place. */
  void freed(int allocation) {
    if (next < events.count() && events.action(next) == SnapshotAction.FREE_COMPLETED) {
      passUntil(SnapshotAction.FREE_COMPLETED, allocation);
    }
  }

  /** Passes the events up to the event of an allocation, and the others before the next one. */
  private void passUntil(SnapshotAction action, int allocation) {
    while (next < events.count()
        && (events.action(next) != action || history.allocation(next) != allocation)) {
      next++;
      passOthers();
    }
    next++;
    passOthers();
  }

  private void passOthers() {
    while (next < events.count() && !isReplayed(next)) {
      if (events.action(next) == SnapshotAction.FREE_REQUESTED) {
        noteFree();
      } else {
        allocator.noteRecorded(recording, next);
      }
      next++;
    }
  }

  private void noteFree() {
    OptionalInt allocations = recording.completions().allocationsUntil(next);
    if (allocations.isPresent()) {
      pending.add(Integer.toString(history.allocation(next)), allocations.getAsInt());
    } else if (recording.completions().isIncomplete(next)) {
      pending.addIncomplete(Integer.toString(history.allocation(next)));
    }
  }

  private boolean isReplayed(int event) {
    SnapshotAction action = events.action(event);
    return action == SnapshotAction.ALLOC
        || action == SnapshotAction.OOM
        || (action == SnapshotAction.FREE_COMPLETED
            && history.allocation(event) != SnapshotHistory.NONE);
  }
}
