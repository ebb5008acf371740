package dev.stowage.cli.report;

import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.CsvField;
import dev.stowage.cli.text.Numbers;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** The figures of layouts as lines of CSV. */
final class ShapesCsv implements ReportFormat<ShapesReport> {

  private boolean hasHeader;

  @Override
  public void print(ShapesReport report, Writer out) throws IOException {
    if (!hasHeader) {
      out.write(
          "input,plan,layouts,largest_bytes,average_excess,maximum_excess,compared_shapes,proved_best,seconds\n");
      hasHeader = true;
    }
    LayoutSearchResult result = report.result();
    long layoutBytes = result.layout().totalBytes(report.problem().ranges().last());
    line(report, "maximum_plan", 1, result.maximum().arenaBytes(), result.maximumExcess(), out);
    line(report, "layout", 1, layoutBytes, result.layoutExcess(), out);
    if (report.hasBuckets()) {
      int count = result.buckets().size();
      long arenaBytes =
          result.buckets().stream().mapToLong(bucket -> bucket.arenaBytes()).max().orElse(0);
      line(report, "bucket_arena", count, arenaBytes, result.bucketArenaExcess(), out);
      line(report, "bucket_layout", count, arenaBytes, result.bucketLayoutExcess(), out);
    }
  }

  private static void line(
      ShapesReport report, String plan, int layouts, long bytes, Excess excess, Writer out)
      throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%s,%s,%d,%d,%.9f,%.9f,%d,%d,%s\n",
            CsvField.of(report.input().file().path()),
            plan,
            layouts,
            bytes,
            excess.average(),
            excess.maximum(),
            report.result().shapes().size(),
            report.result().provedCount(),
            Numbers.seconds(report.seconds())));
  }
}
