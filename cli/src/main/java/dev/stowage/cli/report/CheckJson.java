package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.core.plan.check.PlanViolation;
import dev.stowage.core.plan.check.PlanViolations;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

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
          json.writeObjectPropertyStart("violation_counts");
          json.writeNumberProperty("overlap", violations.overlapCount());
          json.writeNumberProperty("misaligned", violations.misalignedCount());
          json.writeNumberProperty("beyond_capacity", violations.beyondCapacityCount());
          json.writeNumberProperty("not_permitted", violations.notPermittedCount());
          json.writeEndObject();
          json.writeArrayPropertyStart("violations");
          violations.listed().forEach(violation -> write(violation, report, json));
          json.writeEndArray();
        });
  }

  private static void write(PlanViolation violation, CheckReport report, JsonGenerator json) {
    json.writeStartObject();
    switch (violation) {
      case PlanViolation.Misaligned misaligned -> {
        json.writeStringProperty("kind", "misaligned");
        writeRecords(report, json, misaligned.record());
        json.writeNumberProperty("task", firstTask(report, misaligned.record()));
        json.writeNumberProperty("offset", misaligned.offset());
        json.writeNumberProperty("alignment", misaligned.alignment());
      }
      case PlanViolation.BeyondCapacity beyond -> {
        json.writeStringProperty("kind", "beyond_capacity");
        writeRecords(report, json, beyond.record());
        json.writeNumberProperty("task", firstTask(report, beyond.record()));
        json.writeNumberProperty("end_byte", beyond.endByte());
      }
      case PlanViolation.Overlap overlap -> {
        json.writeStringProperty("kind", "overlap");
        writeRecords(report, json, overlap.first(), overlap.second());
        json.writeNumberProperty("task", overlap.firstTask());
        json.writeNumberProperty("last_task", overlap.lastTask());
        json.writeNumberProperty("start_byte", overlap.startByte());
        json.writeNumberProperty("end_byte", overlap.endByte());
      }
      case PlanViolation.NotPermitted pair -> {
        json.writeStringProperty("kind", "not_permitted");
        writeRecords(report, json, pair.first(), pair.second());
        json.writeNumberProperty(
            "task", Math.max(firstTask(report, pair.first()), firstTask(report, pair.second())));
        json.writeNumberProperty("start_byte", pair.startByte());
        json.writeNumberProperty("end_byte", pair.endByte());
      }
    }
    json.writeEndObject();
  }

  /** Writes the ids, which need not be unique, and the indices of the records in the file. */
  private static void writeRecords(CheckReport report, JsonGenerator json, int... records) {
    json.writeArrayPropertyStart("records");
    for (int record : records) {
      json.writeString(report.input().labels().get(record).id());
    }
    json.writeEndArray();
    json.writeName("indices");
    json.writeArray(records, 0, records.length);
  }

  private static long firstTask(CheckReport report, int record) {
    return report.input().problem().records().get(record).firstTask();
  }
}
