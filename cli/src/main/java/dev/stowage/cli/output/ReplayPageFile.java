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

  private ReplayPageFile(String path) {
    file = new WholeFile(path);
  }

  /**
   * {@return a file, or empty if its extension is not .html}
   *
   * @param path the path
   */
  public static Optional<ReplayPageFile> of(String path) {
    return path.toLowerCase(Locale.ROOT).endsWith(".html")
        ? Optional.of(new ReplayPageFile(path))
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
            report.allocator().text(),
            report.result(),
            report.history().orElseThrow());
    file.write(out -> ReplayPage.write(picture, out));
  }
}
