package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.RangesJson;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.ComparedShape;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** Layouts for all shapes as one line of JSON for each input. */
final class ShapesJson implements ReportFormat<ShapesReport> {

  @Override
  public void print(ShapesReport report, Writer out) {
    LayoutSearchResult result = report.result();
    JsonLine.print(
        out,
        json -> {
          InputFile file = report.input().file();
          json.writeStringProperty("input", file.path());
          json.writeStringProperty("format", file.format());
          json.writeNumberProperty("operators", file.operatorCount());
          json.writeNumberProperty("alignment", report.problem().alignment());
          RangesJson.write(report.problem().ranges(), json);
          json.writeNumberProperty("shapes", report.problem().ranges().shapeCount());
          json.writeNumberProperty("compared_shapes", result.shapes().size());
          LabelJson.writeTasks(file, json);
          writeRecords(report, json);
          json.writeObjectPropertyStart("best_plans");
          json.writeNumberProperty("proved", result.provedCount());
          writeExcess("excess_over_bound", result.bestPlanExcess(), json);
          json.writeEndObject();
          json.writeObjectPropertyStart("maximum_plan");
          json.writeNumberProperty("arena_bytes", result.maximum().arenaBytes());
          writeExcess("excess", result.maximumExcess(), json);
          writeOffsets(result.maximum().layout(), json);
          json.writeEndObject();
          json.writeObjectPropertyStart("layout");
          writeExcess("excess", result.layoutExcess(), json);
          writeOffsets(result.layout(), json);
          json.writeEndObject();
          if (report.hasBuckets()) {
            writeBuckets(result, json);
          }
          writeShapes(report, json);
          json.writeNumberProperty("seconds", report.seconds());
          if (report.isInterrupted()) {
            json.writeBooleanProperty("interrupted", true);
          }
          if (!report.isCertified()) {
            json.writeBooleanProperty("certified", false);
          }
        });
  }

  private static void writeRecords(ShapesReport report, JsonGenerator json) {
    json.writeArrayPropertyStart("records");
    for (int i = 0; i < report.problem().records().size(); i++) {
      RecordLabel label = report.input().labels().get(i);
      SymbolicRecord record = report.problem().records().get(i);
      json.writeStartObject();
      json.writeStringProperty("id", label.id());
      json.writeStringProperty("name", label.name());
      json.writeStringProperty("bytes", record.bytes().toString());
      json.writeNumberProperty("first_task", record.firstTask());
      json.writeNumberProperty("last_task", record.lastTask());
      LabelJson.write(label, json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeExcess(String name, Excess excess, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("average", excess.average());
    json.writeNumberProperty("maximum", excess.maximum());
    json.writeEndObject();
  }

  private static void writeOffsets(ShapeLayout layout, JsonGenerator json) {
    json.writeArrayPropertyStart("offsets");
    layout.offsets().forEach(offset -> json.writeString(offset.toString()));
    json.writeEndArray();
  }

  private static void writeBuckets(LayoutSearchResult result, JsonGenerator json) {
    json.writeArrayPropertyStart("buckets");
    for (LayoutBucket bucket : result.buckets()) {
      json.writeStartObject();
      RangesJson.write(bucket.ranges(), json);
      json.writeNumberProperty("arena_bytes", bucket.arenaBytes());
      writeOffsets(bucket.layout(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
    writeExcess("bucket_arena_excess", result.bucketArenaExcess(), json);
    writeExcess("bucket_layout_excess", result.bucketLayoutExcess(), json);
  }

  /** Writes the bytes of each compared shape. */
  private static void writeShapes(ShapesReport report, JsonGenerator json) {
    json.writeArrayPropertyStart("comparison");
    for (ComparedShape shape : report.result().shapes()) {
      json.writeStartObject();
      writeValues(shape.shape(), json);
      json.writeNumberProperty("lower_bound_bytes", shape.lowerBoundBytes());
      json.writeNumberProperty("best_bytes", shape.bestBytes());
      json.writeNumberProperty("layout_bytes", shape.layoutBytes());
      if (report.hasBuckets()) {
        json.writeNumberProperty("bucket_layout_bytes", shape.bucketBytes());
        json.writeNumberProperty("bucket_arena_bytes", shape.bucketArenaBytes());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeValues(DimensionValues values, JsonGenerator json) {
    json.writeObjectPropertyStart("dimensions");
    values.toMap().forEach(json::writeNumberProperty);
    json.writeEndObject();
  }
}
