package dev.stowage.cli.report;

import dev.stowage.cli.tune.CommonReport;
import dev.stowage.trace.tune.CommonSettings;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** Settings for several traces as a line of JSON. */
final class CommonJson implements ReportFormat<CommonReport> {

  @Override
  public void print(CommonReport report, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeArrayPropertyStart("inputs");
          report.reports().forEach(trace -> json.writeString(trace.input().input()));
          json.writeEndArray();
          json.writeBooleanProperty("cut", report.isCut());
          json.writeArrayPropertyStart("settings");
          report.settings().forEach(settings -> row(settings, json));
          json.writeEndArray();
          json.writeStringProperty("paste", report.settings().getFirst().candidate().paste());
          report
              .settings()
              .getFirst()
              .candidate()
              .otherPaste()
              .ifPresent(line -> json.writeStringProperty("paste_new_name", line));
        });
  }

  private static void row(CommonSettings settings, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("settings", settings.candidate().settings());
    json.writeNumberProperty("max_regret", settings.maxRegret());
    json.writeNumberProperty("failures", settings.failures());
    json.writeArrayPropertyStart("peak_reserved_bytes");
    settings.results().forEach(trial -> json.writeNumber(trial.result().peakReservedBytes()));
    json.writeEndArray();
    json.writeArrayPropertyStart("lost_bytes");
    settings.lostBytes().forEach(json::writeNumber);
    json.writeEndArray();
    json.writeEndObject();
  }
}
