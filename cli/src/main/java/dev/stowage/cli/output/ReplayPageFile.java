package dev.stowage.cli.output;

import dev.stowage.cli.picture.ReplayPage;
import dev.stowage.cli.picture.ReplayPicture;
import dev.stowage.cli.replay.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** A replay as an HTML page. */
public final class ReplayPageFile implements ReplayFile {

  private final WholeFile file;
  private final String options;

  private ReplayPageFile(String path, String options) {
    file = new WholeFile(path);
    this.options = options;
  }

  /**
   * {@return a file, or empty if its extension is not .html}
   *
   * @param path the path
   * @param options the options of the replay, as on the command line
   */
  public static Optional<ReplayPageFile> of(String path, String options) {
    return path.toLowerCase(Locale.ROOT).endsWith(".html")
        ? Optional.of(new ReplayPageFile(path, options))
        : Optional.empty();
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public void write(ReplayReport report) throws IOException {
    ReplayPicture picture =
        new ReplayPicture(
            String.valueOf(Path.of(report.input()).getFileName()),
            options,
            report.result(),
            report.history().orElseThrow());
    file.write(out -> ReplayPage.write(picture, out));
  }
}
