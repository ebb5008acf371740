package dev.stowage.trace.replay;

import dev.stowage.trace.format.EventConsumer;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A search for the limit that explains the failed requests of a trace without segments, such as a
 * log of RMM. A snapshot of PyTorch has its {@link PytorchRecording#limit()}.
 */
public final class LimitSearch {

  /** The events of a trace, which are passed again. */
  @FunctionalInterface
  public interface Events {

    /**
     * Passes the trace to a consumer.
     *
     * @param consumer the consumer
     * @throws IOException if the trace cannot be read again
     */
    void passTo(EventConsumer consumer) throws IOException;
  }

  private LimitSearch() {}

  /**
   * {@return a limit with which the replay has exactly the failures of the recorded program; empty
   * if there is no such limit, or if the replay had a limit; costs one replay}
   *
   * @param unlimited a replay of the trace, which has ended
   * @param rules its rules
   * @param events passes the trace again
   * @throws IOException if the trace cannot be read again
   */
  public static OptionalLong find(TraceReplay unlimited, AllocatorRules rules, Events events)
      throws IOException {
    long count = unlimited.recordedFailures().count();
    Optional<RecordedLimit> limit = unlimited.recordedLimit().filter(RecordedLimit::isPossible);
    if (unlimited.recordedFailures().asRecorded() < count
        || unlimited.recording().isPresent()
        || limit.isEmpty()) {
      return OptionalLong.empty();
    }
    TraceReplay limited = new TraceReplay(rules, PlacementConsumer.none());
    limited.assumeLimit(limit.get().highBytes());
    events.passTo(limited);
    return limited.failures() == count && limited.recordedFailures().reproduced() == count
        ? OptionalLong.of(limit.get().highBytes())
        : OptionalLong.empty();
  }
}
