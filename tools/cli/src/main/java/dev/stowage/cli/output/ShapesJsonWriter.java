package dev.stowage.cli.output;

import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.RangesJson;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.LayoutBucket;
import java.io.IOException;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** A writer of problems for all shapes with layouts in JSON. */
final class ShapesJsonWriter {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private ShapesJsonWriter() {}

  static void write(ShapesReport report, Writer out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      SymbolicProblem problem = report.problem();
      RangesJson.write(problem.ranges(), json);
      json.writeArrayPropertyStart("records");
      for (int i = 0; i < problem.records().size(); i++) {
        writeRecord(report.input().labels().get(i), problem, problem.records().get(i), json);
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("layouts");
      report.result().buckets().forEach(bucket -> writeLayout(bucket, json));
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void writeRecord(
      RecordLabel label, SymbolicProblem problem, SymbolicRecord record, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("id", label.id());
    json.writeStringProperty("name", label.name());
    json.writeStringProperty("size", record.bytes().toString());
    json.writeNumberProperty("first_task", record.firstTask());
    json.writeNumberProperty("last_task", record.lastTask());
    if (problem.alignmentOf(record) != 1) {
      json.writeNumberProperty("alignment", problem.alignmentOf(record));
    }
    if (!record.gaps().isEmpty()) {
      json.writeArrayPropertyStart("gaps");
      record
          .gaps()
          .forEach(gap -> {
            json.writeStartObject();
            json.writeNumberProperty("first_task", gap.firstTask());
            json.writeNumberProperty("last_task", gap.lastTask());
            json.writeEndObject();
          });
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void writeLayout(LayoutBucket bucket, JsonGenerator json) {
    json.writeStartObject();
    RangesJson.write(bucket.ranges(), json);
    json.writeNumberProperty("arena_bytes", bucket.arenaBytes());
    json.writeArrayPropertyStart("offsets");
    bucket.layout().offsets().forEach(offset -> json.writeString(offset.toString()));
    json.writeEndArray();
    json.writeEndObject();
  }
}
