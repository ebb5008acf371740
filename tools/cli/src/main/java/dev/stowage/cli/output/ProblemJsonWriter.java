package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** A writer of problems with the offsets of a plan in JSON, with its total as the capacity. */
public final class ProblemJsonWriter {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private ProblemJsonWriter() {}

  static void write(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    OptionalLong capacity = OptionalLong.of(plan.assignment().totalBytes());
    write(input, capacity, Optional.of(plan.assignment().offsets()), input.banks().ties(), out);
  }

  /** Writes a problem without offsets, with the capacity of the input if it has one. */
  static void writeUnpinned(PlanInput.Tensors input, Writer out) throws IOException {
    write(input, input.file().capacity(), Optional.empty(), input.banks().ties(), out);
  }

  /** Writes a problem with offsets in several banks. */
  public static void write(
      PlanInput.Tensors input, long[] offsets, Map<Integer, String> banks, Writer out)
      throws IOException {
    write(input, OptionalLong.empty(), Optional.of(offsets), banks, out);
  }

  private static void write(
      PlanInput.Tensors input,
      OptionalLong capacity,
      Optional<long[]> offsets,
      Map<Integer, String> banks,
      Writer out)
      throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      capacity.ifPresent(bytes -> json.writeNumberProperty("capacity", bytes));
      json.writeArrayPropertyStart("records");
      PlanProblem problem = input.problem();
      Map<Integer, String> sources = PlanInput.sourceIds(problem, input.labels());
      for (int i = 0; i < problem.records().size(); i++) {
        TensorUsageRecord record = problem.records().get(i);
        long alignment = problem.alignmentOf(record);
        Optional<String> inPlaceOf = Optional.ofNullable(sources.get(i));
        json.writeStartObject();
        writeRecord(input.labels().get(i), record, alignment, inPlaceOf, json);
        if (input.hasReadsBesidePlan(banks)) {
          json.writeNumberProperty("reads", input.banks().reads(i));
        }
        if (banks.containsKey(i)) {
          json.writeStringProperty("bank", banks.get(i));
        }
        if (offsets.isPresent()) {
          json.writeNumberProperty("offset", offsets.get()[i]);
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      input.problem().reuseGraph().ifPresent(graph -> writeGraph(graph, json));
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void writeGraph(ReuseGraph graph, JsonGenerator json) {
    boolean isUsage = graph.isUsageGraph();
    json.writeArrayPropertyStart(isUsage ? "usage_graph" : "reallocation_graph");
    for (int i = 0; i < graph.recordCount(); i++) {
      writeIndices(isUsage ? graph.dependents(i) : graph.partners(i), json);
    }
    json.writeEndArray();
  }

  private static void writeIndices(int[] indices, JsonGenerator json) {
    json.writeArray(indices, 0, indices.length);
  }

  private static void writeRecord(
      RecordLabel label,
      TensorUsageRecord record,
      long alignment,
      Optional<String> inPlaceOf,
      JsonGenerator json) {
    json.writeStringProperty("id", label.id());
    json.writeStringProperty("name", label.name());
    json.writeNumberProperty("size", record.bytes());
    json.writeNumberProperty("first_task", record.firstTask());
    json.writeNumberProperty("last_task", record.lastTask());
    if (alignment != 1) {
      json.writeNumberProperty("alignment", alignment);
    }
    record.hint().ifPresent(hint -> json.writeNumberProperty("hint", hint));
    if (!record.gaps().isEmpty()) {
      json.writeArrayPropertyStart("gaps");
      record.gaps().forEach(gap -> writeGap(gap, json));
      json.writeEndArray();
    }
    inPlaceOf.ifPresent(id -> json.writeStringProperty("in_place_of", id));
  }

  private static void writeGap(Gap gap, JsonGenerator json) {
    json.writeStartObject();
    json.writeNumberProperty("first_task", gap.firstTask());
    json.writeNumberProperty("last_task", gap.lastTask());
    if (gap.windowEnd() > 0) {
      json.writeName("window");
      json.writeArray(new long[] {gap.windowStart(), gap.windowEnd()}, 0, 2);
    }
    json.writeEndObject();
  }
}
