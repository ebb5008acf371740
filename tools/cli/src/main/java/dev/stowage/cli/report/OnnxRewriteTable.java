package dev.stowage.cli.report;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.rewrite.OnnxRewriteReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Rewritten ONNX models as tables. */
final class OnnxRewriteTable implements ReportFormat<OnnxRewriteReport> {

  @Override
  public void print(OnnxRewriteReport report, Writer out) throws IOException {
    OrderComparison order = report.order();
    TextTable table = new TextTable();
    table.row("TENSOR ARENA", "bytes", "", "load");
    row(table, "  " + Printable.of(report.input()), order.before().bytes(), order.before().load());
    row(table, "  " + Printable.of(report.output()), order.after().bytes(), order.after().load());
    table.row(
        "  lower bound",
        Numbers.grouped(order.lowerBoundBytes()),
        ByteUnit.human(order.lowerBoundBytes()));
    table.print(out);
    out.write(String.format(Locale.ROOT, "%n%s%n", verdict(report)));
  }

  private static void row(TextTable table, String name, long bytes, long loadBytes) {
    table.row(name, Numbers.grouped(bytes), ByteUnit.human(bytes), Numbers.grouped(loadBytes));
  }

  private static String verdict(OnnxRewriteReport report) {
    OrderComparison order = report.order();
    String output = Printable.of(report.output());
    if (!order.isReordered()) {
      return output + " is a copy of the model, without changes.";
    }
    return String.format(
        Locale.ROOT,
        "%s has its operators in another order, whose arena is %s smaller.%s",
        output,
        Numbers.percent(order.before().bytes() - order.after().bytes(), order.before().bytes()),
        order.isOptimal() ? " No plan of any order needs less (proved)." : "");
  }
}
