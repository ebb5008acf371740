package dev.stowage.cli.replay;

import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.TraceReplay;

/** An output that is written while a trace is replayed. */
@FunctionalInterface
public interface ReplayExport {

  /**
   * {@return a consumer that passes each event to a replay and writes it}
   *
   * @param replay the replay, before its first event
   */
  EventConsumer start(TraceReplay replay);
}
