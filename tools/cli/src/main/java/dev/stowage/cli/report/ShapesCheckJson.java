package dev.stowage.cli.report;

import dev.stowage.cli.check.ShapesCheckReport;
import dev.stowage.plan.Violation;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Checked layouts as lines of JSON. */
final class ShapesCheckJson implements ReportFormat<ShapesCheckReport> {

  @Override
  public void print(ShapesCheckReport report, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input().file().path());
          json.writeStringProperty("format", report.input().file().format());
          json.writeBooleanProperty("valid", report.isValid());
          json.writeNumberProperty("records", report.input().labels().size());
          json.writeArrayPropertyStart("layouts");
          report.layouts().forEach(layout -> writeLayout(layout, report, json));
          json.writeEndArray();
          report.uncovered().ifPresent(shape -> writeShape("uncovered", shape.toMap(), json));
        });
  }

  private static void writeLayout(
      ShapesCheckReport.CheckedLayout layout, ShapesCheckReport report, JsonGenerator json) {
    json.writeStartObject();
    json.writeObjectPropertyStart("dimensions");
    layout
        .ranges()
        .ranges()
        .forEach(range -> {
          json.writeName(range.name());
          json.writeArray(new long[] {range.first(), range.last()}, 0, 2);
        });
    json.writeEndObject();
    json.writeBooleanProperty("valid", layout.violation().isEmpty());
    json.writeNumberProperty("total_bytes", layout.totalBytes());
    json.writeNumberProperty("lower_bound_bytes", layout.lowerBoundBytes());
    layout.arenaBytes().ifPresent(bytes -> json.writeNumberProperty("arena_bytes", bytes));
    layout.violation().ifPresent(violation -> writeViolation(violation, report, json));
    json.writeEndObject();
  }

  private static void writeViolation(
      Violation violation, ShapesCheckReport report, JsonGenerator json) {
    json.writeObjectPropertyStart("violation");
    json.writeStringProperty("kind", violation.kind().name().toLowerCase(Locale.ROOT));
    json.writeArrayPropertyStart("records");
    for (int record : violation.records()) {
      json.writeString(report.input().labels().get(record).id());
    }
    json.writeEndArray();
    if (!violation.shape().isEmpty()) {
      writeShape("shape", violation.shape(), json);
    }
    json.writeStringProperty("message", violation.message());
    json.writeEndObject();
  }

  private static void writeShape(String name, Map<String, Long> shape, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    shape.forEach(json::writeNumberProperty);
    json.writeEndObject();
  }
}
