package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.TraceReplay;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * A file with replays or with a part of one, or a folder of such files. A file is written whole or
 * not at all.
 */
public interface ReplayFile extends Closeable {

  /** {@return the file that was written last, or the folder before the first one} */
  String path();

  /**
   * {@return a consumer that passes each event to a replay and writes it; empty if the file is
   * written after the replay}
   *
   * @param replay the replay, before its first event
   */
  default Optional<EventConsumer> start(TraceReplay replay) {
    return Optional.empty();
  }

  /**
   * Writes a replay.
   *
   * @param report the report; it has the part that the file needs
   * @param page writes the page of the replay
   * @return true if the file is complete, false if it is an index
   */
  boolean write(ReplayReport report, WholeFile.Content page) throws IOException;

  /** Deletes the file unless it is complete. */
  @Override
  default void close() throws IOException {}
}
