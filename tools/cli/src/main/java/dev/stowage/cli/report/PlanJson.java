package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Plans as one line of JSON for each input. */
final class PlanJson implements PlanFormat {

  @Override
  public void print(List<PlanReport> reports, Writer out) {
    for (PlanReport report : reports) {
      JsonLine.print(
          out,
          json -> {
            writeInput(report, json);
            LabelJson.writeTasks(report.input().file(), json);
            writeRecords(report.input(), json);
            json.writeArrayPropertyStart("plans");
            for (Plan plan : report.plans()) {
              writePlan(plan, report, json);
            }
            json.writeEndArray();
            report.micro().ifPresent(it -> MicroJson.write(it, json));
            report.order().ifPresent(order -> writeOrder(order, json));
            report.explanation().ifPresent(it -> writeExplanation(it, report.input(), json));
            if (report.isInterrupted()) {
              json.writeBooleanProperty("interrupted", true);
            }
          });
    }
  }

  private static void writeInput(PlanReport report, JsonGenerator json) {
    InputFile file = report.input().file();
    json.writeStringProperty("input", file.path());
    json.writeStringProperty("format", file.format());
    json.writeNumberProperty("operators", file.operatorCount());
    if (report.input() instanceof PlanInput.Tensors tensors) {
      json.writeNumberProperty("alignment", tensors.problem().alignment());
      json.writeNumberProperty("naive_bytes", tensors.problem().naiveBytes());
    }
    report
        .bounds()
        .ifPresent(bounds -> {
          json.writeObjectPropertyStart("lower_bounds");
          json.writeNumberProperty("offsets", bounds.offsetsBytes());
          json.writeNumberProperty("objects", bounds.objectsBytes());
          json.writeEndObject();
        });
  }

  private static void writeRecords(PlanInput input, JsonGenerator json) {
    Map<Integer, String> sources = sourceIds(input);
    json.writeArrayPropertyStart("records");
    for (int i = 0; i < input.labels().size(); i++) {
      writeRecord(i, input, sources, json);
    }
    json.writeEndArray();
  }

  private static Map<Integer, String> sourceIds(PlanInput input) {
    return input instanceof PlanInput.Tensors tensors
        ? PlanInput.sourceIds(tensors.problem(), tensors.labels())
        : Map.of();
  }

  private static void writeRecord(
      int i, PlanInput input, Map<Integer, String> sources, JsonGenerator json) {
    json.writeStartObject();
    writeRecordFields(i, input, sources, json);
    json.writeEndObject();
  }

  private static void writeRecordFields(
      int i, PlanInput input, Map<Integer, String> sources, JsonGenerator json) {
    RecordLabel label = input.labels().get(i);
    json.writeStringProperty("id", label.id());
    json.writeStringProperty("name", label.name());
    switch (input) {
      case PlanInput.Tensors tensors -> {
        TensorUsageRecord record = tensors.problem().records().get(i);
        json.writeNumberProperty("bytes", record.bytes());
        writeLifetime(record.firstTask(), record.lastTask(), json);
        Optional.ofNullable(sources.get(i))
            .ifPresent(id -> json.writeStringProperty("in_place_of", id));
        LabelJson.write(label, json);
      }
      case PlanInput.Textures textures -> {
        TextureUsageRecord record = textures.records().get(i);
        json.writeName("extent");
        writeExtent(record.extent(), json);
        writeLifetime(record.firstTask(), record.lastTask(), json);
      }
    }
  }

  private static void writeOrder(OrderComparison order, JsonGenerator json) {
    json.writeObjectPropertyStart("reorder");
    json.writeBooleanProperty("reordered", order.isReordered());
    json.writeNumberProperty("load_before", order.before().load());
    json.writeNumberProperty("load_after", order.after().load());
    json.writeNumberProperty("bytes_before", order.before().bytes());
    json.writeNumberProperty("bytes_after", order.after().bytes());
    json.writeNumberProperty("lower_bound_bytes", order.lowerBoundBytes());
    json.writeBooleanProperty("load_proved", order.isLoadProved());
    json.writeBooleanProperty("optimal", order.isOptimal());
    if (order.isReordered()) {
      json.writeArrayPropertyStart("operators");
      order.after().operators().forEach(json::writeNumber);
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Writes why no plan fits into a capacity; without records where that is not proved. */
  private static void writeExplanation(
      Explanation explanation, PlanInput input, JsonGenerator json) {
    json.writeObjectPropertyStart("explanation");
    json.writeNumberProperty("capacity", explanation.capacityBytes());
    json.writeBooleanProperty("proved", explanation.conflict().isPresent());
    explanation.conflict().ifPresent(conflict -> writeConflict(conflict, input, json));
    RemedyJson.write(explanation, json);
    json.writeEndObject();
  }

  private static void writeConflict(
      CapacityConflict conflict, PlanInput input, JsonGenerator json) {
    json.writeStringProperty("reason", ExplanationText.reason(conflict));
    json.writeNumberProperty("least_bytes", conflict.leastBytes());
    switch (conflict.reason()) {
      case Reason.LiveBytes live -> {
        json.writeBooleanProperty("exact", live.isExact());
        json.writeNumberProperty("task", live.task());
        LabelJson.writeOperator("operator", live.task(), input.file(), json);
      }
      case Reason.RecordEnd() -> {}
      case Reason.Padding padding -> {
        json.writeBooleanProperty("exact", padding.isExact());
        json.writeNumberProperty("task", padding.task());
        LabelJson.writeOperator("operator", padding.task(), input.file(), json);
        json.writeNumberProperty("alignment", padding.alignmentBytes());
      }
      case Reason.Pins pins -> json.writeBooleanProperty("exact", pins.isExact());
      case Reason.NoPlacement search -> json.writeBooleanProperty("exact", search.isExact());
    }
    List<TensorUsageRecord> records =
        input instanceof PlanInput.Tensors tensors
            ? tensors.problem().withoutUnusedGaps().records()
            : List.of(); // textures have no explanation
    Map<Integer, String> sources = sourceIds(input);
    json.writeArrayPropertyStart("records");
    for (int i : conflict.records()) {
      json.writeStartObject();
      writeRecordFields(i, input, sources, json);
      writeConstraints(records.get(i), conflict.reason(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeConstraints(
      TensorUsageRecord record, Reason reason, JsonGenerator json) {
    if (reason instanceof Reason.LiveBytes live) {
      json.writeNumberProperty("live_bytes", record.bytesNeededAt(live.task()));
    }
    record.pinnedOffset().ifPresent(offset -> json.writeNumberProperty("offset", offset));
  }

  private static void writeLifetime(long firstTask, long lastTask, JsonGenerator json) {
    json.writeNumberProperty("first_task", firstTask);
    json.writeNumberProperty("last_task", lastTask);
  }

  private static void writePlan(Plan plan, PlanReport report, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("strategy", plan.strategy().name());
    switch (plan) {
      case Plan.Offsets offsets -> {
        json.writeStringProperty("kind", "offsets");
        json.writeNumberProperty("total_bytes", offsets.assignment().totalBytes());
        report
            .micro()
            .flatMap(micro -> Optional.ofNullable(micro.headBytes().get(offsets.strategy())))
            .ifPresent(bytes -> json.writeNumberProperty("head_bytes", bytes));
        json.writeName("offsets");
        writeArray(offsets.assignment().offsets(), json);
      }
      case Plan.Objects objects -> {
        json.writeStringProperty("kind", "objects");
        json.writeNumberProperty("total_bytes", objects.assignment().totalBytes());
        json.writeName("object_ids");
        int[] ids = objects.assignment().objectIds();
        json.writeArray(ids, 0, ids.length);
        json.writeName("object_sizes");
        writeArray(objects.assignment().objectBytes(), json);
      }
      case Plan.Textures textures -> {
        json.writeStringProperty("kind", "objects");
        json.writeNumberProperty("total_texels", textures.assignment().totalTexels());
        json.writeName("object_ids");
        int[] ids = textures.assignment().objectIds().stream().mapToInt(id -> id).toArray();
        json.writeArray(ids, 0, ids.length);
        json.writeArrayPropertyStart("object_sizes");
        textures.assignment().objectExtents().forEach(extent -> writeExtent(extent, json));
        json.writeEndArray();
      }
    }
    json.writeBooleanProperty("optimal", plan.isOptimal());
    json.writeNumberProperty("seconds", plan.seconds());
    switch (plan) {
      case Plan.Offsets offsets -> offsets.search().ifPresent(it -> writeSearch(it, json));
      case Plan.Objects objects -> objects.search().ifPresent(it -> writeSearch(it, json));
      case Plan.Textures textures -> {}
    }
    json.writeEndObject();
  }

  private static void writeSearch(SearchResult<?> search, JsonGenerator json) {
    json.writeNumberProperty("lower_bound", search.lowerBoundBytes());
    json.writeNumberProperty("nodes", search.nodes());
    json.writeStringProperty("ended", search.end().name().toLowerCase(Locale.ROOT));
  }

  private static void writeArray(long[] values, JsonGenerator json) {
    json.writeArray(values, 0, values.length);
  }

  private static void writeExtent(TextureExtent extent, JsonGenerator json) {
    json.writeStartArray();
    json.writeNumber(extent.width());
    json.writeNumber(extent.height());
    extent.depth().ifPresent(json::writeNumber);
    json.writeEndArray();
  }
}
