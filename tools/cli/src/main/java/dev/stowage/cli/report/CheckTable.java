package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;

/** Prints reports on plans as tables, with a blank line between two of them. */
final class CheckTable implements ReportFormat<CheckReport> {

  private boolean hasPrinted;

  @Override
  public void print(CheckReport report, Writer out) throws IOException {
    if (hasPrinted) {
      out.write("\n");
    }
    hasPrinted = true;
    ViolationTables violations = new ViolationTables(report.input(), report.violations(), Map.of());
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s, %s\n",
            Printable.of(report.input().file().path()),
            Numbers.count(report.input().labels().size(), "tensor"),
            Numbers.count(report.input().file().operatorCount(), "task"),
            violations.verdict()));
    TextTable table = new TextTable();
    table.row("");
    table.row("ARENA", "bytes");
    long boundBytes = report.bounds().offsetsBytes();
    table.row("  total", Numbers.grouped(report.totalBytes()), ByteUnit.human(report.totalBytes()));
    table.row("  lower bound", Numbers.grouped(boundBytes), ByteUnit.human(boundBytes));
    table.row(
        "  difference",
        Numbers.grouped(report.bytesAboveBound()),
        boundBytes == 0 ? "" : Numbers.percent(report.bytesAboveBound(), boundBytes));
    report
        .capacityBytes()
        .ifPresent(bytes -> table.row("  capacity", Numbers.grouped(bytes), ByteUnit.human(bytes)));
    table.print(out);
    violations.print(out);
  }
}
