package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.TraceReplay;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A file with replays or a part of one, or a folder of such files, written whole or not at all. */
public interface ReplayFile extends Closeable {

  /** {@return the file that was written last, or the folder before the first one} */
  String path();

  /** {@return true if it shows the events, so that a replay must keep its history} */
  default boolean isPicture() {
    return false;
  }

  /** {@return true if there is a file for each replay, false if the index completes it} */
  default boolean isWholeWithoutIndex() {
    return true;
  }

  /** {@return the file with the index} */
  default String indexPath() {
    return path();
  }

  /** {@return true if there are replays for an index} */
  default boolean hasIndex() {
    return false;
  }

  /**
   * Creates the folder, if it is one.
   *
   * @param traces the traces as on the command line, which the files do not replace
   */
  default void create(List<String> traces) throws IOException {}

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
   * @param report the report, with the part that the file needs
   * @param run the facts on the replay
   */
  void write(ReplayReport report, RunFacts run) throws IOException;

  /** {@return the address of the replay that was written last, in the index} */
  default String address() {
    return "";
  }

  /** Writes the index, if the file has a replay. */
  default void complete(FiguresPage index) throws IOException {}

  /** Deletes the file unless it is complete. */
  @Override
  default void close() throws IOException {}
}
