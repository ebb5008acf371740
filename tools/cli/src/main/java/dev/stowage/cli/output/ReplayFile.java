package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import java.io.IOException;

/** A file with a part of a replay, written completely or not at all. */
public interface ReplayFile {

  String path();

  /**
   * Writes the file.
   *
   * @param report the report, with the part that the file needs
   */
  void write(ReplayReport report) throws IOException;
}
