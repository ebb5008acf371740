package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import java.io.IOException;

/** A file that something of a replay is written to, whole or not at all. */
public sealed interface ReplayFile permits PlacementsFile, ReplayPageFile {

  /** {@return where it is written to} */
  String path();

  /**
   * Writes it.
   *
   * @param report what came of the trace, with what the file needs of it
   * @throws IOException if the file cannot be written; what was there before is then untouched
   */
  void write(ReplayReport report) throws IOException;
}
