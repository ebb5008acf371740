package dev.stowage.cli;

import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPages;
import dev.stowage.cli.replay.ReplayReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files that a replay writes. */
final class ReplayOutputs {

  private final Diagnostics diagnostics;
  private final List<ReplayFile> files = new ArrayList<>();
  private Optional<ReplayPages> pages = Optional.empty();

  ReplayOutputs(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Adds a file. */
  void add(ReplayFile file) {
    files.add(file);
  }

  /** Sets the folder of the pages. */
  void add(ReplayPages folder) {
    pages = Optional.of(folder);
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
}
