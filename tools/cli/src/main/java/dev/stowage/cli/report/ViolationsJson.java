package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.violations.PlanViolation;
import dev.stowage.plan.violations.PlanViolations;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The violations of a checked plan as properties of JSON. */
final class ViolationsJson {

  private final PlanInput.Tensors input;
  private final Map<Integer, String> banks;

  /**
   * Creates the writer.
   *
   * @param input the problem of the plan
   * @param banks the name of the bank of each record; empty if there is one arena
   */
  ViolationsJson(PlanInput.Tensors input, Map<Integer, String> banks) {
    this.input = input;
    this.banks = banks;
  }

  /** Writes the number of violations of each kind, and the listed ones. */
  void write(PlanViolations violations, JsonGenerator json) {
    json.writeObjectPropertyStart("violation_counts");
    json.writeNumberProperty("overlap", violations.overlapCount());
    json.writeNumberProperty("misaligned", violations.misalignedCount());
    json.writeNumberProperty("beyond_capacity", violations.beyondCapacityCount());
    json.writeNumberProperty("not_permitted", violations.notPermittedCount());
    json.writeEndObject();
    json.writeArrayPropertyStart("violations");
    violations.listed().forEach(violation -> write(violation, json));
    json.writeEndArray();
  }

  private void write(PlanViolation violation, JsonGenerator json) {
    json.writeStartObject();
    switch (violation) {
      case PlanViolation.Misaligned misaligned -> {
        json.writeStringProperty("kind", "misaligned");
        writeRecords(json, misaligned.record());
        json.writeNumberProperty("task", firstTask(misaligned.record()));
        json.writeNumberProperty("offset", misaligned.offset());
        json.writeNumberProperty("alignment", misaligned.alignment());
      }
      case PlanViolation.BeyondCapacity beyond -> {
        json.writeStringProperty("kind", "beyond_capacity");
        writeRecords(json, beyond.record());
        json.writeNumberProperty("task", firstTask(beyond.record()));
        json.writeNumberProperty("end_byte", beyond.endByte());
      }
      case PlanViolation.Overlap overlap -> {
        json.writeStringProperty("kind", "overlap");
        writeRecords(json, overlap.first(), overlap.second());
        json.writeNumberProperty("task", overlap.firstTask());
        json.writeNumberProperty("last_task", overlap.lastTask());
        json.writeNumberProperty("start_byte", overlap.startByte());
        json.writeNumberProperty("end_byte", overlap.endByte());
      }
      case PlanViolation.NotPermitted pair -> {
        json.writeStringProperty("kind", "not_permitted");
        writeRecords(json, pair.first(), pair.second());
        json.writeNumberProperty(
            "task", Math.max(firstTask(pair.first()), firstTask(pair.second())));
        json.writeNumberProperty("start_byte", pair.startByte());
        json.writeNumberProperty("end_byte", pair.endByte());
      }
    }
    json.writeEndObject();
  }

  /** Writes the ids, which need not be unique, and the indices of the records in the file. */
  private void writeRecords(JsonGenerator json, int... records) {
    json.writeArrayPropertyStart("records");
    for (int record : records) {
      json.writeString(input.labels().get(record).id());
    }
    json.writeEndArray();
    json.writeName("indices");
    json.writeArray(records, 0, records.length);
    if (!banks.isEmpty()) {
      json.writeStringProperty("bank", banks.getOrDefault(records[0], ""));
    }
  }

  private long firstTask(int record) {
    return input.problem().records().get(record).firstTask();
  }
}
