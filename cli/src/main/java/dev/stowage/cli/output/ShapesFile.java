package dev.stowage.cli.output;

import dev.stowage.cli.picture.ShapesPage;
import dev.stowage.cli.plan.ShapesReport;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Optional;

/** A file with the layouts for all shapes, written completely or not at all. */
public final class ShapesFile {

  /** A format of layouts. */
  private interface Format {
    void write(ShapesReport report, Writer out) throws IOException;
  }

  private final WholeFile file;
  private final Format format;

  private ShapesFile(String path, Format format) {
    file = new WholeFile(path);
    this.format = format;
  }

  /**
   * {@return a file, or empty if its extension is not .csv, .json or .html}
   *
   * @param path the path
   */
  public static Optional<ShapesFile> of(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return Optional.of(new ShapesFile(path, ShapesCsvWriter::write));
    }
    if (name.endsWith(".json")) {
      return Optional.of(new ShapesFile(path, ShapesJsonWriter::write));
    }
    return name.endsWith(".html")
        ? Optional.of(new ShapesFile(path, ShapesPage::write))
        : Optional.empty();
  }

  /** {@return the path} */
  public String path() {
    return file.path();
  }

  /**
   * Writes the layouts: one, or one for each bucket.
   *
   * @param report the layouts
   * @throws IOException if the file cannot be written; an older file then stays as it was
   */
  public void write(ShapesReport report) throws IOException {
    file.write(out -> format.write(report, out));
  }
}
