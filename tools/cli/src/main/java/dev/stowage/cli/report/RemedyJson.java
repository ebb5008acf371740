package dev.stowage.cli.report;

import dev.stowage.cli.plan.Effect;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.plan.explain.LoadPeak;
import tools.jackson.core.JsonGenerator;

/** The peaks of the live bytes, and the effects of options, in JSON. */
final class RemedyJson {

  private RemedyJson() {}

  /** Writes the fields of an explanation that follow its records. */
  static void write(Explanation explanation, JsonGenerator json) {
    writePeak("peak", explanation.peak(), json);
    explanation
        .nextPeak()
        .ifPresent(next -> {
          writePeak("next_peak", next.load(), json);
          json.writeStringProperty(
              "next_peak_without", next.isWithoutAllLive() ? "live_at_peak" : "records");
        });
    json.writeArrayPropertyStart("effects");
    for (Effect effect : explanation.effects()) {
      json.writeStartObject();
      json.writeStringProperty("option", effect.option());
      json.writeBooleanProperty("in_use", effect.isUsed());
      json.writeNumberProperty("base_bytes", effect.baseBytes());
      json.writeNumberProperty("total_bytes", effect.totalBytes());
      json.writeNumberProperty("lower_bound", effect.lowerBoundBytes());
      json.writeBooleanProperty("optimal", effect.isOptimal());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (explanation.isCut()) {
      json.writeBooleanProperty("interrupted", true);
    }
  }

  private static void writePeak(String key, LoadPeak peak, JsonGenerator json) {
    json.writeObjectPropertyStart(key);
    json.writeNumberProperty("bytes", peak.bytes());
    json.writeArrayPropertyStart("tasks");
    for (LoadPeak.TaskRange range : peak.tasks()) {
      json.writeStartArray();
      json.writeNumber(range.firstTask());
      json.writeNumber(range.lastTask());
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
