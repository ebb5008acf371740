package dev.stowage.cli.report;

import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Rewritten models as tables. */
final class RewriteTable implements ReportFormat<RewriteReport> {

  @Override
  public void print(RewriteReport report, Writer out) throws IOException {
    TextTable table = new TextTable();
    table.row("HEAD OF THE ARENA", "bytes", "");
    row(table, "  " + Printable.of(report.input()), report.arena().fileBytes());
    row(table, "  " + Printable.of(report.output()), report.arena().headBytes());
    row(table, "  lower bound", report.arena().lowerBoundBytes());
    if (report.arena().variableBytes() > 0) {
      table.row("TAIL OF THE ARENA", "", "");
      row(table, "  variables", report.arena().variableBytes());
    }
    table.print(out);
    out.write(String.format(Locale.ROOT, "%n%s%n", verdict(report)));
  }

  private static String verdict(RewriteReport report) {
    String output = Printable.of(report.output());
    if (report.action() == RewriteReport.Action.COPIED) {
      return output + " is a copy of the model, without changes.";
    }
    String saved =
        report.arena().headBytes() < report.arena().fileBytes()
            ? String.format(
                Locale.ROOT,
                " and saves %s of the head",
                Numbers.percent(
                    report.arena().fileBytes() - report.arena().headBytes(),
                    report.arena().fileBytes()))
            : "";
    String optimal =
        report.arena().isOptimal()
            ? report.order().isChanged()
                ? " No plan of any order of the operators needs less (proved)."
                : " No plan needs less (proved)."
            : "";
    return String.format(
        Locale.ROOT,
        "%s has a plan%s%s.%s",
        output,
        report.order().isChanged() ? " and a new order of operators" : "",
        saved,
        optimal);
  }

  private static void row(TextTable table, String name, long bytes) {
    table.row(name, Numbers.grouped(bytes), ByteUnit.human(bytes));
  }
}
