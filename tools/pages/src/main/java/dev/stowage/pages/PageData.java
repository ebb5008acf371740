package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import dev.stowage.plan.explain.LoadProfile;
import dev.stowage.plan.explain.NextPeak;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The data of the page of a plan. */
final class PageData {

  /*
   * Columns with an entry for each record, as columns.js reads them:
   *
   *   {"ids": [], "names": [], "bytes": [], "first": [], "last": [],
   *    "parts": {"record": [], "first": [], "last": [], "start": [], "end": []},
   *    "load": {"event": [], "min": [], "max": []}, "peaks": [[51, 51], [55, 55]],
   *    "next": {"bytes": 0, "tasks": [[65, 65]]}, "naive": 0, "best": 0,
   *    "capacity": 0, "reasons": {"records": [], "sentences": []},
   *    "plans": [
   *      {"strategy": "", "total": 0, "bound": 0, "optimal": false, "offsets": []},
   *      {"strategy": "", "total": 0, "bound": 0, "optimal": false,
   *       "objects": {"ids": [], "bytes": []}}]}
   *
   * "next" is the peak without the records that are live at "peaks". If it differs, "nextOfReasons" is the peak without
   * the records of "reasons", and "nextOfAll" the peak without both. A plan has offsets,
   * or the object of each record and the bytes of each object. Without "names", the ids are the names. Without
   * "parts", each record with bytes is one part. Models also have "shapes", a text for each record, and the
   * columns of TensorColumns. Without a limit, "capacity" is missing. The records of "reasons" cannot fit together into a smaller arena.
   */

  private final PlanPicture picture;
  private final List<TensorUsageRecord> records;
  private final JsonGenerator json;

  private PageData(PlanPicture picture, JsonGenerator json) {
    this.picture = picture;
    this.records = picture.problem().records();
    this.json = json;
  }

  static void write(PlanPicture picture, JsonGenerator json) {
    new PageData(picture, json).write();
  }

  private void write() {
    json.writeStartObject();
    writeLabels();
    ScriptJson.column(json, "bytes", records, TensorUsageRecord::bytes);
    ScriptJson.column(json, "first", records, TensorUsageRecord::firstTask);
    ScriptJson.column(json, "last", records, TensorUsageRecord::lastTask);
    List<Part> parts = Part.of(picture.problem());
    if (records.stream().anyMatch(record -> !record.gaps().isEmpty())) {
      writeParts(parts);
    }
    writeLoad(LoadProfile.of(picture.problem()));
    writePeaks(picture.peak());
    writeReasons();
    json.writeNumberProperty("naive", picture.problem().naiveBytes());
    json.writeNumberProperty("best", picture.bestIndex());
    json.writeArrayPropertyStart("plans");
    picture.plans().forEach(this::writePlan);
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeLabels() {
    List<RecordLabel> labels = picture.labels();
    ScriptJson.column(json, "ids", labels.stream().map(RecordLabel::id).toList());
    if (labels.stream().anyMatch(label -> label.shape().isPresent())) {
      ScriptJson.column(
          json,
          "shapes",
          labels.stream()
              .map(label -> label.shape().map(TypedShape::toString).orElse(""))
              .toList());
    }
    TensorColumns.write(picture, json);
    if (labels.stream().anyMatch(label -> !label.id().equals(label.name()))) {
      ScriptJson.column(json, "names", labels.stream().map(RecordLabel::name).toList());
    }
  }

  private void writeParts(List<Part> parts) {
    json.writeObjectPropertyStart("parts");
    ScriptJson.column(json, "record", parts, Part::record);
    ScriptJson.column(json, "first", parts, Part::firstTask);
    ScriptJson.column(json, "last", parts, Part::lastTask);
    ScriptJson.column(json, "start", parts, Part::startByte);
    ScriptJson.column(json, "end", parts, Part::endByte);
    json.writeEndObject();
  }

  private void writeLoad(LoadProfile load) {
    json.writeObjectPropertyStart("load");
    ScriptJson.column(json, "event", load.stepCount(), load::firstTask);
    ScriptJson.column(json, "min", load.stepCount(), load::bytes);
    ScriptJson.column(json, "max", load.stepCount(), load::bytes);
    json.writeEndObject();
  }

  /** Writes the peak, and the peak without the records that are live at it. */
  private void writePeaks(LoadPeak peak) {
    writeTasks("peaks", peak);
    LoadPeak next = NextPeak.withoutAllLive(picture.problem(), peak).load();
    writePeak("next", next);
    if (!picture.conflict().isEmpty()) {
      NextPeak explained = NextPeak.of(picture.problem(), peak, picture.conflict());
      if (!explained.load().equals(next)) {
        writePeak(explained.isWithoutAllLive() ? "nextOfAll" : "nextOfReasons", explained.load());
      }
    }
  }

  private void writePeak(String name, LoadPeak peak) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("bytes", peak.bytes());
    writeTasks("tasks", peak);
    json.writeEndObject();
  }

  private void writeTasks(String name, LoadPeak peak) {
    json.writeArrayPropertyStart(name);
    for (TaskRange range : peak.tasks()) {
      json.writeStartArray();
      json.writeNumber(range.firstTask());
      json.writeNumber(range.lastTask());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private void writeReasons() {
    picture.run().capacityBytes().ifPresent(bytes -> json.writeNumberProperty("capacity", bytes));
    json.writeObjectPropertyStart("reasons");
    ScriptJson.column(json, "records", picture.conflict(), Integer::longValue);
    ScriptJson.column(json, "sentences", picture.run().reasons());
    json.writeEndObject();
  }

  private void writePlan(ShownPlan plan) {
    json.writeStartObject();
    json.writeStringProperty("strategy", plan.strategy());
    json.writeNumberProperty("total", plan.totalBytes());
    json.writeNumberProperty("bound", plan.boundBytes());
    json.writeBooleanProperty("optimal", plan.isOptimal());
    plan.objects().ifPresentOrElse(this::writeObjects, () -> writeOffsets(plan));
    json.writeEndObject();
  }

  private void writeOffsets(ShownPlan plan) {
    ScriptJson.column(json, "offsets", records.size(), plan.drawn()::offset);
  }

  private void writeObjects(ObjectsAssignment objects) {
    json.writeObjectPropertyStart("objects");
    ScriptJson.column(json, "ids", records.size(), objects::objectId);
    ScriptJson.column(json, "bytes", objects.objectCount(), objects::objectBytes);
    json.writeEndObject();
  }
}
