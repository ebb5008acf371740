package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.output.PlacementsFile;
import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPageFile;
import dev.stowage.cli.output.ReplayPages;
import dev.stowage.cli.output.ReplayReportFile;
import dev.stowage.cli.output.SnapshotFile;
import dev.stowage.cli.picture.ReplayIndex;
import dev.stowage.cli.replay.ReplayExport;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The files that a replay writes. */
public final class ReplayOutputs implements Closeable, EachFile.Listener {

  private final CommandSpec spec;
  private final Diagnostics diagnostics;
  private final List<ReplayFile> files = new ArrayList<>();
  private Optional<ReplayPages> pages = Optional.empty();
  private Optional<Together> together = Optional.empty();
  private Optional<SnapshotFile> snapshot = Optional.empty();
  private boolean drawsPages;

  /** The page of all replays. */
  private record Together(ReplayReportFile file, IndexedPage page, ReplayIndex index) {

    int add(ReplayReport report) {
      return page.add(all -> {
        all.add(ReplayPageFile.picture(report, file.facts()));
        index.add(report, all.lastAddress());
      });
    }
  }

  public ReplayOutputs(CommandSpec spec) {
    this.spec = spec;
    diagnostics = Diagnostics.of(spec);
  }

  public void add(PlacementsFile file) {
    files.add(file);
  }

  public void add(ReplayPageFile file) {
    files.add(file);
    drawsPages = true;
  }

  /** Adds a snapshot, which is written while a trace is replayed. */
  public void add(SnapshotFile file) {
    files.add(file);
    snapshot = Optional.of(file);
  }

  /** Sets the folder of the pages. */
  public void add(ReplayPages folder) {
    pages = Optional.of(folder);
    drawsPages = true;
  }

  /** Sets the page of all replays. */
  public void add(ReplayReportFile file) {
    ReplayIndex index = new ReplayIndex();
    IndexedPage page =
        new IndexedPage(file.path(), "Replays", "Replayed", index.table(), index::conclusion, spec);
    together = Optional.of(new Together(file, page, index));
    drawsPages = true;
  }

  /** {@return true if a file is a page, which needs the history of the replay} */
  public boolean drawsPages() {
    return drawsPages;
  }

  public ReplayExport export() {
    return snapshot.isPresent() ? snapshot.get() : replay -> replay;
  }

  /** Creates the folder of the pages if it does not exist, and {@return the exit code} */
  public int create() {
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
  public void keep(List<String> traces) {
    pages.ifPresent(folder -> folder.keep(traces));
  }

  /** Writes the files of a replay and {@return the exit code} */
  public int write(ReplayReport report) {
    int exitCode = ExitCode.DONE;
    for (ReplayFile file : files) {
      exitCode = ExitCode.graver(exitCode, write(file, report));
    }
    if (pages.isPresent()) {
      ReplayFile page = pages.get().next(report);
      int code = write(page, report);
      exitCode = ExitCode.graver(exitCode, code);
      if (code == ExitCode.DONE) {
        pages.get().add(report, page.path());
      }
    }
    return together.isEmpty() ? exitCode : ExitCode.graver(exitCode, together.get().add(report));
  }

  private int write(ReplayFile file, ReplayReport report) {
    return diagnostics.write(file.path(), () -> file.write(report));
  }

  @Override
  public void finished(String trace, int exitCode) {}

  /** Adds a row to the index for a trace that has no result. */
  @Override
  public void failed(String trace, String reason) {
    together.ifPresent(all -> all.page.failed(trace, reason));
    pages.ifPresent(folder -> folder.addFailure(trace, reason));
  }

  /** Completes the index, if there is a page, and {@return the exit code} */
  public int complete() {
    if (pages.filter(ReplayPages::isBegun).isPresent()) {
      ReplayPages folder = pages.get();
      RunFacts run = CommandFacts.run(spec);
      return diagnostics.write(folder.indexPath(), () -> folder.writeIndex(run));
    }
    return together.map(all -> all.page.complete()).orElse(ExitCode.DONE);
  }

  /** Deletes the files that are not complete. */
  @Override
  public void close() throws IOException {
    if (together.isPresent()) {
      together.get().page.close();
    }
    if (snapshot.isPresent()) {
      snapshot.get().close();
    }
  }
}
