package dev.stowage.cli;

import dev.stowage.cli.output.PlacementsFile;
import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPageFile;
import dev.stowage.cli.output.ReplayPages;
import dev.stowage.cli.output.SnapshotFile;
import dev.stowage.cli.replay.ReplayExport;
import dev.stowage.cli.replay.ReplayReport;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files that a replay writes. */
final class ReplayOutputs implements Closeable {

  private final Diagnostics diagnostics;
  private final List<ReplayFile> files = new ArrayList<>();
  private Optional<ReplayPages> pages = Optional.empty();
  private Optional<SnapshotFile> snapshot = Optional.empty();
  private boolean drawsPages;

  ReplayOutputs(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Adds the file of the placements. */
  void add(PlacementsFile file) {
    files.add(file);
  }

  /** Adds a page. */
  void add(ReplayPageFile file) {
    files.add(file);
    drawsPages = true;
  }

  /** Adds a snapshot, which is written while a trace is replayed. */
  void add(SnapshotFile file) {
    files.add(file);
    snapshot = Optional.of(file);
  }

  /** Sets the folder of the pages. */
  void add(ReplayPages folder) {
    pages = Optional.of(folder);
    drawsPages = true;
  }

  /** {@return true if a file is a page, which needs the history of the replay} */
  boolean drawsPages() {
    return drawsPages;
  }

  /** {@return the export of a replay} */
  ReplayExport export() {
    return snapshot.isPresent() ? snapshot.get() : replay -> replay;
  }

  /** Creates the folder of the pages if it does not exist, and {@return the exit code} */
  int create() {
    if (pages.isPresent()) {
      try {
        pages.get().create();
      } catch (IOException e) {
        return diagnostics.reportUnwritten(pages.get().folder(), e);
      }
    }
    return ExitCode.DONE;
  }

  /** Ensures that pages in a folder do not replace traces. */
  void keep(List<String> traces) {
    pages.ifPresent(folder -> folder.keep(traces));
  }

  /** Writes the files of a replay and {@return the exit code} */
  int write(ReplayReport report) {
    List<ReplayFile> written = new ArrayList<>(files);
    pages.ifPresent(folder -> written.add(folder.next(report)));
    int exitCode = ExitCode.DONE;
    for (ReplayFile file : written) {
      try {
        file.write(report);
        diagnostics.report("wrote " + file.path());
      } catch (IOException e) {
        exitCode = diagnostics.reportUnwritten(file.path(), e);
      }
    }
    return exitCode;
  }

  /** Deletes a snapshot that is not complete. */
  @Override
  public void close() throws IOException {
    if (snapshot.isPresent()) {
      snapshot.get().close();
    }
  }
}
