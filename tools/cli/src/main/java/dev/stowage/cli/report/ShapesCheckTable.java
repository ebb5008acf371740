package dev.stowage.cli.report;

import dev.stowage.cli.check.ShapesCheckReport;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Checked layouts as a table. */
final class ShapesCheckTable implements ReportFormat<ShapesCheckReport> {

  @Override
  public void print(ShapesCheckReport report, Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s with %s%n",
            Printable.of(report.input().file().path()),
            Numbers.count(report.layouts().size(), "layout"),
            Numbers.count(report.input().labels().size(), "tensor")));
    TextTable table = new TextTable();
    table.row("");
    table.row("LAYOUTS", "largest shape", "over bound", "");
    for (ShapesCheckReport.CheckedLayout layout : report.layouts()) {
      long above = layout.totalBytes() - layout.lowerBoundBytes();
      table.row(
          "  " + Printable.of(layout.ranges().toString()),
          Numbers.grouped(layout.totalBytes()),
          above == 0
              ? "optimal"
              : (above > 0 ? "+" : "") + Numbers.percent(above, layout.lowerBoundBytes()),
          layout.violation().isEmpty() ? "certified for all shapes" : "NOT CERTIFIED");
    }
    table.print(out);
    out.write("\n");
    for (ShapesCheckReport.CheckedLayout layout : report.layouts()) {
      if (layout.violation().isPresent()) {
        out.write(Printable.of(layout.ranges() + ": " + layout.violation().get().message()) + "\n");
      }
    }
    if (report.uncovered().isPresent()) {
      out.write(
          "No layout contains the shape "
              + Printable.of(report.uncovered().get().toString())
              + ".\n");
    }
    out.write(report.isValid() ? "Valid for all shapes.\n" : "Not valid.\n");
  }
}
