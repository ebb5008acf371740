package dev.stowage.cli.output;

import dev.stowage.cli.picture.Pictures;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.ShapesPage;
import dev.stowage.pages.text.RunFacts;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The files for the layouts of a report: one for all shapes, or one for each bucket. */
public final class ShapesFiles {

  private ShapesFiles() {}

  /**
   * {@return a file, or empty if its extension is not .csv, .json or .html}
   *
   * @param facts returns the facts of the run on a report, for a page
   */
  public static Optional<ReportFile<ShapesReport>> of(
      String path, Function<ShapesReport, RunFacts> facts) {
    return ReportFile.of(
        path,
        Map.of(
            "csv", ShapesCsvWriter::write,
            "json", ShapesJsonWriter::write,
            "html",
                (report, out) -> ShapesPage.write(Pictures.of(report, facts.apply(report)), out)));
  }
}
