package dev.stowage.cli.output;

import dev.stowage.cli.picture.Pictures;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.ShapesPage;
import java.util.Map;
import java.util.Optional;

/** The files for the layouts of a report: one for all shapes, or one for each bucket. */
public final class ShapesFiles {

  private static final Map<String, ReportFile.Format<ShapesReport>> FORMATS =
      Map.of(
          "csv", ShapesCsvWriter::write,
          "json", ShapesJsonWriter::write,
          "html", (report, out) -> ShapesPage.write(Pictures.of(report), out));

  private ShapesFiles() {}

  /** {@return a file, or empty if its extension is not .csv, .json or .html} */
  public static Optional<ReportFile<ShapesReport>> of(String path) {
    return ReportFile.of(path, FORMATS);
  }
}
