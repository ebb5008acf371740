package dev.stowage.cli.budget;

import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.memory.CpuClass;
import dev.stowage.onnxbudget.memory.OperatorWorkspace;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import java.io.Writer;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Constants of a machine as JSON. */
final class CalibrationText {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private CalibrationText() {}

  static void write(
      EngineConstants constants,
      WorkspaceCalibration workspaces,
      Optional<CpuClass> cpuClass,
      Writer out) {
    ObjectWriteContext context =
        new ObjectWriteContext.Base() {
          @Override
          public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
          }
        };
    try (JsonGenerator json = FACTORY.createGenerator(context, out)) {
      json.writeStartObject();
      write(constants, json);
      cpuClass.ifPresent(cpu -> json.writeStringProperty("cpu", cpu.toString()));
      json.writeArrayPropertyStart("workspaces");
      for (OperatorWorkspace workspace : workspaces.workspaces()) {
        json.writeStartObject();
        json.writeStringProperty("operator", workspace.operator());
        json.writeStringProperty("types", workspace.types());
        json.writeNumberProperty("tensor_bytes", workspace.tensorBytes());
        json.writeArrayPropertyStart("buffer_bytes");
        workspace.bufferBytes().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void write(EngineConstants constants, JsonGenerator json) {
    json.writeStringProperty("machine", constants.origin().machine());
    json.writeStringProperty("engine_version", constants.origin().engineVersion());
    json.writeNumberProperty("engine_bytes", constants.process().engineBytes());
    json.writeNumberProperty("first_session_bytes", constants.process().firstSessionBytes());
    json.writeNumberProperty("session_bytes", constants.session().modelBytes());
    json.writeNumberProperty("operator_bytes", constants.session().operatorBytes());
    json.writeNumberProperty("thread_bytes", constants.session().threadBytes());
    json.writeNumberProperty("remainder_bytes", constants.allowance().bytes());
    json.writeNumberProperty("remainder_share", constants.allowance().processShare());
    json.writeNumberProperty("run_share", constants.allowance().runShare());
    json.writeNumberProperty("jvm_bytes", constants.process().jvmBytes());
  }
}
