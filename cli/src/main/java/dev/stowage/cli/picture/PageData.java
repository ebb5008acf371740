package dev.stowage.cli.picture;

import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.Plan;
import dev.stowage.core.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** The data of a page, as JSON that can stand in a script element. */
final class PageData {

  /*
   * Columns, an entry a record; an object a record would take three times the bytes and more of
   * the browser's time:
   *
   *   {"ids": [], "names": [], "bytes": [], "first": [], "last": [],
   *    "parts": {"record": [], "first": [], "last": [], "start": [], "end": []},
   *    "load": {"task": [], "bytes": []}, "peakTask": 0, "lowerBound": 0,
   *    "objectsBound": 0, "naive": 0, "best": 0, "plans": [
   *      {"strategy": "", "objects": false, "total": 0, "optimal": false, "offsets": []}]}
   *
   * Without "names", the ids are the names; without "parts", each record of some bytes is one part.
   */

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .characterEscapes(new ScriptEscapes())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // half a surrogate pair has no encoding
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private final PlanPicture picture;
  private final List<TensorUsageRecord> records;
  private final JsonGenerator json;

  private PageData(PlanPicture picture, JsonGenerator json) {
    this.picture = picture;
    this.records = picture.problem().records();
    this.json = json;
  }

  /** Writes the data and leaves the writer open. */
  static void write(PlanPicture picture, Writer out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      new PageData(picture, json).write();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private void write() {
    json.writeStartObject();
    writeLabels();
    column("bytes", records, TensorUsageRecord::bytes);
    column("first", records, TensorUsageRecord::firstTask);
    column("last", records, TensorUsageRecord::lastTask);
    List<Part> parts = Part.of(picture.problem());
    if (records.stream().anyMatch(record -> !record.gaps().isEmpty())) {
      writeParts(parts);
    }
    writeLoad(LoadCurve.of(parts));
    json.writeNumberProperty("lowerBound", picture.bounds().offsetsBytes());
    json.writeNumberProperty("objectsBound", picture.bounds().objectsBytes());
    json.writeNumberProperty("naive", picture.problem().naiveBytes());
    json.writeNumberProperty("best", picture.bestIndex());
    json.writeArrayPropertyStart("plans");
    picture.plans().forEach(this::writePlan);
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeLabels() {
    List<RecordLabel> labels = picture.labels();
    column("ids", labels.stream().map(RecordLabel::id).toList());
    if (labels.stream().anyMatch(label -> !label.id().equals(label.name()))) {
      column("names", labels.stream().map(RecordLabel::name).toList());
    }
  }

  private void writeParts(List<Part> parts) {
    json.writeObjectPropertyStart("parts");
    column("record", parts, Part::record);
    column("first", parts, Part::firstTask);
    column("last", parts, Part::lastTask);
    column("start", parts, Part::startByte);
    column("end", parts, Part::endByte);
    json.writeEndObject();
  }

  private void writeLoad(LoadCurve load) {
    json.writeObjectPropertyStart("load");
    json.writeName("task");
    json.writeStartArray();
    for (int i = 0; i < load.stepCount(); i++) {
      json.writeNumber(load.task(i));
    }
    json.writeEndArray();
    json.writeName("bytes");
    json.writeStartArray();
    for (int i = 0; i < load.stepCount(); i++) {
      json.writeNumber(load.bytes(i));
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeNumberProperty("peakTask", load.peakTask());
  }

  private void writePlan(Plan.Offsets plan) {
    json.writeStartObject();
    json.writeStringProperty("strategy", plan.strategy().name());
    json.writeBooleanProperty("objects", plan.strategy().offsetsFollowFromObjects());
    json.writeNumberProperty("total", plan.assignment().totalBytes());
    json.writeBooleanProperty("optimal", plan.optimal());
    json.writeName("offsets");
    json.writeArray(plan.assignment().offsets(), 0, records.size());
    json.writeEndObject();
  }

  private <T> void column(String name, List<T> rows, ToLongFunction<T> value) {
    json.writeName(name);
    json.writeArray(rows.stream().mapToLong(value).toArray(), 0, rows.size());
  }

  private void column(String name, List<String> texts) {
    json.writeName(name);
    json.writeArray(texts.toArray(String[]::new), 0, texts.size());
  }
}
