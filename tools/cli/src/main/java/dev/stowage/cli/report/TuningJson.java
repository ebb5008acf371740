package dev.stowage.cli.report;

import dev.stowage.cli.tune.TuningReport;
import dev.stowage.trace.tune.Trial;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** Searches for settings as lines of JSON, one for each trace. */
final class TuningJson implements ReportFormat<TuningReport> {

  @Override
  public void print(TuningReport report, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input().input());
          json.writeStringProperty("allocator", report.conditions().allocator().name());
          json.writeNumberProperty("events", report.input().trace().eventCount());
          report
              .recordedReservedBytes()
              .ifPresent(bytes -> json.writeNumberProperty("recorded_reserved_bytes", bytes));
          json.writeNumberProperty(
              "peak_requested_bytes", report.input().trace().peakRequestedBytes());
          report
              .hindsight()
              .ifPresent(plan -> {
                json.writeNumberProperty("hindsight_bytes", plan.bytes());
                json.writeNumberProperty("hindsight_bound_bytes", plan.boundBytes());
                json.writeBooleanProperty("hindsight_cut", plan.isCut());
              });
          report
              .conditions()
              .limitBytes()
              .ifPresent(bytes -> json.writeNumberProperty("limit_bytes", bytes));
          json.writeBooleanProperty("empty_cache", report.conditions().emptiesCache());
          json.writeNumberProperty("candidates", report.tuning().candidateCount());
          json.writeNumberProperty("replays", report.tuning().replayCount());
          json.writeBooleanProperty("cut", report.isCut());
          json.writeArrayPropertyStart("settings");
          report.results().forEach(row -> row(row, report, json));
          json.writeEndArray();
          json.writeStringProperty("paste", report.best().candidate().paste());
          report
              .best()
              .candidate()
              .otherPaste()
              .ifPresent(line -> json.writeStringProperty("paste_new_name", line));
        });
  }

  private static void row(TuningReport.Row row, TuningReport report, JsonGenerator json) {
    Trial trial = row.trial();
    json.writeStartObject();
    json.writeStringProperty("settings", trial.candidate().settings());
    json.writeNumberProperty("peak_reserved_bytes", trial.result().peakReservedBytes());
    json.writeNumberProperty("failures", trial.result().failures());
    json.writeNumberProperty("device_calls", trial.result().deviceCalls());
    json.writeNumberProperty("seconds", row.seconds());
    json.writeBooleanProperty("baseline", report.isBaseline(trial));
    trial
        .withoutCache()
        .ifPresent(cold -> {
          json.writeNumberProperty("empty_cache_reserved_bytes", cold.peakReservedBytes());
          json.writeNumberProperty("empty_cache_failures", cold.failures());
          json.writeNumberProperty("empty_cache_device_calls", cold.deviceCalls());
        });
    json.writeEndObject();
  }
}
