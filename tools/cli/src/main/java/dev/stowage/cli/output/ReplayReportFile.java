package dev.stowage.cli.output;

import dev.stowage.cli.picture.ReplayIndex;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.RunFacts;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;

/** An HTML page of several replays, with an index. */
public final class ReplayReportFile implements Closeable {

  private final PagesFile file;
  private final Function<ReplayReport, RunFacts> facts;
  private final ReplayIndex index = new ReplayIndex();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param facts returns the facts of the run on a report
   */
  public ReplayReportFile(String path, Function<ReplayReport, RunFacts> facts) {
    file = new PagesFile(path, "Replays", "Replayed");
    this.facts = facts;
  }

  /** {@return the path} */
  public String path() {
    return file.path();
  }

  /** {@return true if the page has a replay} */
  public boolean isBegun() {
    return file.isBegun();
  }

  /**
   * Adds a replay.
   *
   * @param report the replay, with its history
   * @throws IOException if the file cannot be written
   */
  public void add(ReplayReport report) throws IOException {
    index.add(report, file.add(page -> page.add(ReplayPageFile.picture(report, facts))));
  }

  /**
   * Adds a row for a trace without a replay.
   *
   * @param trace the file as on the command line
   * @param reason the reason
   */
  public void addFailure(String trace, String reason) {
    index.addFailure(trace, reason);
  }

  /**
   * Completes the file, which has one or more replays.
   *
   * @param run the run of the command
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public void complete(RunFacts run) throws IOException {
    file.complete(index.table(), run);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
