package dev.stowage.cli.report;

import dev.stowage.cli.input.ModelLabels;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.onnx.VerificationReport.Output;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** Verified models as lines of JSON. */
final class VerifyJson implements ReportFormat<VerifyResult> {

  @Override
  public void print(VerifyResult result, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", result.input());
          result
              .shape()
              .ifPresent(shape -> {
                json.writeObjectPropertyStart("shape");
                shape.toMap().forEach(json::writeNumberProperty);
                json.writeEndObject();
              });
          json.writeNumberProperty("operators", result.operatorCount());
          json.writeNumberProperty("records", result.recordCount());
          json.writeStringProperty("strategy", result.strategy());
          json.writeNumberProperty("naive_bytes", result.naiveBytes());
          json.writeNumberProperty("lower_bound_bytes", result.lowerBoundBytes());
          json.writeNumberProperty("planned_bytes", result.report().plannedBytes());
          result
              .report()
              .enginePeakBytes()
              .ifPresent(bytes -> json.writeNumberProperty("engine_peak_bytes", bytes));
          result.order().ifPresent(order -> writeOrder(order, json));
          result
              .report()
              .reorderedPeakBytes()
              .ifPresent(bytes -> json.writeNumberProperty("reordered_engine_peak_bytes", bytes));
          json.writeNumberProperty("seed", result.report().seed());
          json.writeArrayPropertyStart("outputs");
          for (Output output : result.report().outputs()) {
            json.writeStartObject();
            json.writeStringProperty("name", output.name());
            json.writeNumberProperty("elements", output.elementCount());
            json.writeBooleanProperty("bit_identical", output.isBitIdentical());
            json.writeNumberProperty("max_abs_difference", output.maxAbsDifference());
            json.writeNumberProperty(
                "optimized_max_abs_difference", output.optimizedMaxAbsDifference());
            output.type().map(ModelLabels::shape).ifPresent(shape -> LabelJson.write(shape, json));
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void writeOrder(OrderComparison order, JsonGenerator json) {
    json.writeBooleanProperty("reordered", order.isReordered());
    json.writeNumberProperty("file_order_bytes", order.bytesBefore());
    json.writeNumberProperty("load_before", order.loadBefore());
    json.writeNumberProperty("load_after", order.loadAfter());
  }
}
