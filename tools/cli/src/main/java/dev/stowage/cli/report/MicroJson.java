package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import tools.jackson.core.JsonGenerator;

/** The figures of TensorFlow Lite Micro as an object of JSON. */
final class MicroJson {

  private MicroJson() {}

  static void write(MicroReport report, JsonGenerator json) {
    MicroMemory memory = report.memory();
    json.writeObjectPropertyStart("tflm");
    json.writeNumberProperty("without_plan_bytes", report.withoutPlanBytes());
    report
        .filePlanBytes()
        .ifPresent(bytes -> {
          json.writeNumberProperty("file_plan_bytes", bytes);
          json.writeBooleanProperty("file_plan_valid", report.filePlanOverlap().isEmpty());
        });
    report.bestHeadBytes().ifPresent(bytes -> json.writeNumberProperty("best_head_bytes", bytes));
    report
        .tensorsAloneBytes()
        .ifPresent(bytes -> json.writeNumberProperty("tensors_alone_head_bytes", bytes));
    json.writeBooleanProperty("scratch_known", memory.isScratchKnown());
    json.writeNumberProperty("unused_tensors", memory.unusedCount());
    json.writeNumberProperty("unused_bytes", memory.unusedBytes());
    json.writeNumberProperty("variables", memory.variableCount());
    json.writeNumberProperty("variable_bytes", memory.variableBytes());
    json.writeNumberProperty("tail_estimate_bytes", memory.tailEstimateBytes());
    json.writeEndObject();
  }
}
