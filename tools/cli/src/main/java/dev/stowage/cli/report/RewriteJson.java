package dev.stowage.cli.report;

import dev.stowage.cli.rewrite.RewriteReport;
import java.io.Writer;

/** Rewritten models as lines of JSON. */
final class RewriteJson implements ReportFormat<RewriteReport> {

  @Override
  public void print(RewriteReport report, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input());
          json.writeStringProperty("output", report.output());
          json.writeBooleanProperty(
              "plan_written", report.action() == RewriteReport.Action.PLAN_WRITTEN);
          json.writeNumberProperty("file_bytes", report.arena().fileBytes());
          json.writeNumberProperty("planned_bytes", report.arena().plannedBytes());
          json.writeNumberProperty("head_bytes", report.arena().headBytes());
          json.writeNumberProperty("lower_bound_bytes", report.arena().lowerBoundBytes());
          json.writeBooleanProperty("optimal", report.arena().isOptimal());
          json.writeBooleanProperty("reordered", report.order().isChanged());
          json.writeNumberProperty("load_before", report.order().loadBefore());
          json.writeNumberProperty("load_after", report.order().loadAfter());
          json.writeNumberProperty("variable_bytes", report.arena().variableBytes());
        });
  }
}
