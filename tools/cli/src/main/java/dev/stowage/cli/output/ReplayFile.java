package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import java.io.IOException;

/** A file with a part of a replay, written completely or not at all. */
public interface ReplayFile {

  /** {@return the path} */
  String path();

  /**
   * Writes the file.
   *
   * @param report the report, with the part that the file needs
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  void write(ReplayReport report) throws IOException;
}
