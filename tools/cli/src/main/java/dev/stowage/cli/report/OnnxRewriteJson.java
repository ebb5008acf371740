package dev.stowage.cli.report;

import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.rewrite.OnnxRewriteReport;
import java.io.Writer;

/** Rewritten ONNX models as lines of JSON. */
final class OnnxRewriteJson implements ReportFormat<OnnxRewriteReport> {

  @Override
  public void print(OnnxRewriteReport report, Writer out) {
    OrderComparison order = report.order();
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input());
          json.writeStringProperty("output", report.output());
          json.writeNumberProperty("file_bytes", order.before().bytes());
          json.writeNumberProperty("planned_bytes", order.after().bytes());
          json.writeNumberProperty("head_bytes", order.after().bytes());
          json.writeNumberProperty("lower_bound_bytes", order.lowerBoundBytes());
          json.writeBooleanProperty("optimal", order.isOptimal());
          json.writeBooleanProperty("reordered", order.isReordered());
          json.writeNumberProperty("load_before", order.before().load());
          json.writeNumberProperty("load_after", order.after().load());
        });
  }
}
