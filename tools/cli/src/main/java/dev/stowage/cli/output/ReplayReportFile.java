package dev.stowage.cli.output;

import dev.stowage.cli.picture.ReplayIndex;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.util.function.Function;

/** An HTML page of several replays, with an index. */
public final class ReplayReportFile extends PagesFile {

  private final Function<ReplayReport, RunFacts> facts;
  private final ReplayIndex index = new ReplayIndex();

  /**
   * Creates a page that is not written yet.
   *
   * @param path the path as on the command line
   * @param facts returns the facts of the run on a report
   */
  public ReplayReportFile(String path, Function<ReplayReport, RunFacts> facts) {
    super(path, "Replays", "Replayed");
    this.facts = facts;
  }

  @Override
  FigureTable index() {
    return index.table();
  }

  /**
   * Adds a replay.
   *
   * @param report the replay, with its history
   * @throws IOException if the file cannot be written
   */
  public void add(ReplayReport report) throws IOException {
    index.add(report, add(page -> page.add(ReplayPageFile.picture(report, facts))));
  }
}
