package dev.stowage.cli.report;

import dev.stowage.cli.replay.DiffReport;
import dev.stowage.trace.explain.TraceDiff;
import java.io.Writer;
import java.util.Locale;

/** Compared traces as lines of JSON. */
final class DiffJson implements ReportFormat<DiffReport> {

  @Override
  public void print(DiffReport report, Writer out) {
    TraceDiff diff = report.diff();
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input_a", report.inputA());
          json.writeStringProperty("input_b", report.inputB());
          json.writeStringProperty("by", diff.grouping().name().toLowerCase(Locale.ROOT));
          json.writeNumberProperty("event_a", diff.eventA());
          json.writeNumberProperty("event_b", diff.eventB());
          json.writeBooleanProperty("at_peaks", report.isAtPeaks());
          json.writeNumberProperty("bytes_a", diff.bytesA());
          json.writeNumberProperty("bytes_b", diff.bytesB());
          json.writeNumberProperty("growth_bytes", diff.growthBytes());
          json.writeArrayPropertyStart("groups");
          for (TraceDiff.Group group : diff.groups()) {
            json.writeStartObject();
            json.writeStringProperty("key", group.key());
            json.writeNumberProperty("bytes_a", group.bytesA());
            json.writeNumberProperty("bytes_b", group.bytesB());
            json.writeNumberProperty("blocks_a", group.blocksA());
            json.writeNumberProperty("blocks_b", group.blocksB());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
