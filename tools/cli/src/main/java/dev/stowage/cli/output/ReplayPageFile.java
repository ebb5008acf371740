package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.ReplayPage;
import dev.stowage.pages.ReplayPicture;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** A replay as an HTML page. */
public final class ReplayPageFile implements ReplayFile {

  private final WholeFile file;

  private final Function<ReplayReport, RunFacts> facts;

  private ReplayPageFile(String path, Function<ReplayReport, RunFacts> facts) {
    file = new WholeFile(path);
    this.facts = facts;
  }

  /**
   * {@return a file, or empty if its extension is not .html}
   *
   * @param facts returns the facts of the run on a report
   */
  public static Optional<ReplayPageFile> of(String path, Function<ReplayReport, RunFacts> facts) {
    return path.toLowerCase(Locale.ROOT).endsWith(".html")
        ? Optional.of(new ReplayPageFile(path, facts))
        : Optional.empty();
  }

  @Override
  public String path() {
    return file.path();
  }

  /**
   * {@return the picture of a replay}
   *
   * @param facts returns the facts of the run on a report
   */
  public static ReplayPicture picture(ReplayReport report, Function<ReplayReport, RunFacts> facts) {
    return new ReplayPicture(
        String.valueOf(Path.of(report.input()).getFileName()),
        report.allocator().text(),
        report.result(),
        report.details().history().orElseThrow(),
        facts.apply(report));
  }

  @Override
  public void write(ReplayReport report) throws IOException {
    ReplayPicture picture = picture(report, facts);
    file.write(out -> ReplayPage.write(picture, out));
  }
}
