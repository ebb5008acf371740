package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;

/** The HTML page of several replays. */
public final class ReplayBook implements ReplayFile {

  private final IndexedPage page;
  private String address = "";

  public ReplayBook(String path) {
    page = new IndexedPage(path, "Replays", "Replayed");
  }

  @Override
  public String path() {
    return page.path();
  }

  @Override
  public boolean isPicture() {
    return true;
  }

  @Override
  public boolean isWholeWithoutIndex() {
    return false;
  }

  @Override
  public boolean hasIndex() {
    return page.isBegun();
  }

  @Override
  public void write(ReplayReport report, RunFacts run) throws IOException {
    page.add(all -> {
      all.add(ReplayPageFile.picture(report, run));
      address = all.lastAddress();
    });
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void complete(FiguresPage index) throws IOException {
    page.complete(all -> all.end(index));
  }

  @Override
  public void close() throws IOException {
    page.close();
  }
}
