package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.ReplayPage;
import dev.stowage.pages.ReplayPicture;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.nio.file.Path;

/** The HTML page of a replay. */
public final class ReplayPageFile implements ReplayFile {

  private final WholeFile file;

  public ReplayPageFile(String path) {
    file = new WholeFile(path);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public boolean isPicture() {
    return true;
  }

  /** {@return the picture of a replay} */
  static ReplayPicture picture(ReplayReport report, RunFacts run) {
    return new ReplayPicture(
        String.valueOf(Path.of(report.input()).getFileName()),
        report.allocator().text(),
        report.result(),
        report.details().history().orElseThrow(),
        run);
  }

  @Override
  public void write(ReplayReport report, RunFacts run) throws IOException {
    ReplayPicture picture = picture(report, run);
    file.write(out -> ReplayPage.write(picture, out));
  }
}
