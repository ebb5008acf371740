package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.plan.violations.PlanViolations;
import java.io.Writer;
import java.util.Map;

/** Checked plans as lines of JSON. */
final class CheckJson implements ReportFormat<CheckReport> {

  @Override
  public void print(CheckReport report, Writer out) {
    PlanViolations violations = report.violations();
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input().file().path());
          json.writeStringProperty("format", report.input().file().format());
          json.writeBooleanProperty("valid", violations.isEmpty());
          json.writeNumberProperty("records", report.input().labels().size());
          json.writeNumberProperty("alignment", report.input().problem().alignment());
          json.writeNumberProperty("total_bytes", report.totalBytes());
          json.writeObjectPropertyStart("lower_bounds");
          json.writeNumberProperty("offsets", report.bounds().offsetsBytes());
          json.writeNumberProperty("objects", report.bounds().objectsBytes());
          json.writeEndObject();
          report.capacityBytes().ifPresent(bytes -> json.writeNumberProperty("capacity", bytes));
          LabelJson.writeTasks(report.input().file(), json);
          new ViolationsJson(report.input(), Map.of()).write(violations, json);
        });
  }
}
