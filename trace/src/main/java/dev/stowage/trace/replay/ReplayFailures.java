package dev.stowage.trace.replay;

import dev.stowage.trace.format.AllocationEvent;
import java.util.Optional;

/** The failed requests of a replay: their numbers, the first one and the one to explain. */
final class ReplayFailures {

  /** The reason of a request that failed in the recording and cannot fail in the replay. */
  static final String NO_LIMIT =
      "out of memory: the request failed in the recording. No limit of the allocator explains"
          + " it, so that the device refused it for a reason outside of the recording.";

  /** The reason of a request for which a block became free too late. */
  static final String LATE =
      "out of memory: the request failed in the recording. A free block fits: it became free during"
          + " the request, after the search. A repeated request passes.";

  /** The reason of a request that failed in the recording and passes in the replay. */
  static final String ROOM =
      "out of memory: the request failed in the recording. The replay has room for it, so that"
          + " the recording lacks the reason.";

  private long count;
  private Optional<ReplayResult.Failure> first = Optional.empty();
  private long keptEvent;
  private Optional<ReplayResult.Failure> kept = Optional.empty();
  private long recorded;
  private long reproduced;
  private long passed;

  /** Counts a request that failed in the recorded program. */
  void recorded() {
    recorded++;
  }

  /** Counts a recorded failure that the replay has, too. */
  void reproduced() {
    reproduced++;
  }

  /** Counts a recorded failure that passes with other rules. */
  void passed() {
    passed++;
  }

  /** Keeps the failure of an event, in addition to the first one. */
  void keep(long event) {
    keptEvent = event;
  }

  /**
   * Adds a failure.
   *
   * @param event the number of the event
   * @param use the use of the memory of the allocator then
   * @param isRecorded true if the request failed in the recorded program
   */
  void refused(
      long event,
      AllocationEvent.Allocate request,
      SimulatedAllocator.Refusal refusal,
      MemoryUse use,
      boolean isRecorded) {
    boolean isFirst = count++ == 0;
    if (isFirst || event == keptEvent) {
      Optional<ReplayResult.Failure> failure =
          Optional.of(
              new ReplayResult.Failure(
                  event,
                  request,
                  refusal.verdict(),
                  refusal.numbers(),
                  use,
                  isRecorded,
                  refusal.reason()));
      first = isFirst ? failure : first;
      kept = event == keptEvent ? failure : kept;
    }
  }

  /** {@return the number of failed requests} */
  long count() {
    return count;
  }

  /** {@return the first failure} */
  Optional<ReplayResult.Failure> first() {
    return first;
  }

  /** {@return the failure at the event of {@link #keep}; empty if that event has not failed} */
  Optional<ReplayResult.Failure> kept() {
    return kept;
  }

  /** {@return the numbers of requests that failed in the recorded program} */
  ReplayResult.RecordedFailures ofRecording() {
    return new ReplayResult.RecordedFailures(recorded, reproduced, passed);
  }
}
