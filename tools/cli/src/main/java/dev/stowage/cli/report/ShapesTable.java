package dev.stowage.cli.report;

import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.search.ComparedShape;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Layouts for all shapes as a table. */
final class ShapesTable implements ReportFormat<ShapesReport> {

  @Override
  public void print(ShapesReport report, Writer out) throws IOException {
    long shapeCount = report.problem().ranges().shapeCount();
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s, %s%n",
            Printable.of(report.input().file().path()),
            Numbers.count(report.problem().records().size(), "tensor"),
            Numbers.count(report.input().file().operatorCount(), "task"),
            shapeCount == Long.MAX_VALUE
                ? "over 2^63 shapes"
                : Numbers.count(shapeCount, "shape")));
    out.write("Dimensions: " + Printable.of(report.problem().ranges().toString()) + "\n");
    figures(report).print(out);
    if (report.hasBuckets()) {
      buckets(report.result()).print(out);
    }
    writeSentences(report, shapeCount, out);
  }

  private static TextTable figures(ShapesReport report) {
    LayoutSearchResult result = report.result();
    int bucketCount = result.buckets().size();
    TextTable table = new TextTable();
    table.row("");
    table.row("", "smallest shape", "largest shape", "average excess", "maximum excess");
    table.row("ARENA OF EACH SHAPE");
    row(table, report, "best plan for each shape", ComparedShape::bestBytes, new Excess(0, 0));
    row(
        table,
        report,
        "one layout for all shapes",
        ComparedShape::layoutBytes,
        result.layoutExcess());
    if (report.hasBuckets()) {
      row(
          table,
          report,
          Numbers.count(bucketCount, "layout"),
          ComparedShape::bucketBytes,
          result.bucketLayoutExcess());
      table.row("ARENA OF EACH BUCKET");
      row(
          table,
          report,
          Numbers.count(bucketCount, "bucket"),
          ComparedShape::bucketArenaBytes,
          result.bucketArenaExcess());
    }
    table.row("ONE ARENA");
    row(
        table,
        report,
        "plan for the maximum",
        _ -> result.maximum().arenaBytes(),
        result.maximumExcess());
    return table;
  }

  private static void row(
      TextTable table,
      ShapesReport report,
      String name,
      ToLongFunction<ComparedShape> bytes,
      Excess excess) {
    table.row(
        "  " + name,
        Numbers.grouped(bytes.applyAsLong(at(report, report.problem().ranges().first()))),
        Numbers.grouped(bytes.applyAsLong(at(report, report.problem().ranges().last()))),
        Numbers.excess(excess.average()),
        Numbers.excess(excess.maximum()));
  }

  private static ComparedShape at(ShapesReport report, DimensionValues values) {
    return report.result().shapes().stream()
        .filter(shape -> shape.shape().equals(values))
        .findFirst()
        .orElseThrow();
  }

  private static TextTable buckets(LayoutSearchResult result) {
    TextTable table = new TextTable();
    table.row("");
    table.row("BUCKETS", "arena");
    for (LayoutBucket bucket : result.buckets()) {
      table.row(
          "  " + Printable.of(bucket.ranges().toString()),
          Numbers.grouped(bucket.arenaBytes()),
          ByteUnit.human(bucket.arenaBytes()));
    }
    return table;
  }

  private static void writeSentences(ShapesReport report, long shapeCount, Writer out)
      throws IOException {
    LayoutSearchResult result = report.result();
    int compared = result.shapes().size();
    String over =
        result.hasAllShapes()
            ? "all " + Numbers.count(compared, "shape")
            : String.format(
                Locale.ROOT,
                "a sample of %s of %s shapes that has the corners",
                Numbers.grouped(compared),
                shapeCount == Long.MAX_VALUE ? "over 2^63" : Numbers.grouped(shapeCount));
    out.write(
        String.format(
            Locale.ROOT,
            "%nThe excess is that over the best plan of the same shape alone, for %s.%n",
            over));
    int proved = result.provedCount();
    Excess open = result.bestPlanExcess();
    out.write(
        proved == compared
            ? "All best plans are proved optimal.\n"
            : String.format(
                Locale.ROOT,
                "%s of %s best plans are proved optimal; the others are at most %s above their lower bounds.%n",
                Numbers.grouped(proved),
                Numbers.grouped(compared),
                Numbers.excess(open.maximum())));
    out.write(
        report.isCertified()
            ? "All layouts are certified by proof for all shapes in the ranges.\n"
            : "The layouts are not certified: a signal ended the proofs.\n");
    if (report.isInterrupted()) {
      out.write("Interrupted: a longer search may find better layouts.\n");
    }
  }
}
