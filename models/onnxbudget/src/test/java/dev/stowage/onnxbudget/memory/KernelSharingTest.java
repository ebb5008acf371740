package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of ONNX Runtime for small models with one operator between two others. */
class KernelSharingTest {

  private static final long IR_VERSION = 8;
  private static final long OPERATORS_VERSION = 15;
  private static final int ROWS = 6;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Abs",
        "Atan",
        "Ceil",
        "Celu",
        "Clip",
        "Cos",
        "Dropout",
        "Elu",
        "Erf",
        "Exp",
        "Floor",
        "HardSigmoid",
        "HardSwish",
        "Identity",
        "LeakyRelu",
        "Log",
        "LogSoftmax",
        "Neg",
        "Reciprocal",
        "Relu",
        "Round",
        "Selu",
        "Shrink",
        "Sigmoid",
        "Sign",
        "Sin",
        "Softmax",
        "Softplus",
        "Softsign",
        "Sqrt",
        "Tan",
        "Tanh",
        "ThresholdedRelu",
        "Trilu"
      })
  void requests_operatorOfOneInput_areThoseOfTheEngine(String operator) throws Exception {
    assertPredicted(List.of(node(operator, List.of("a"), "b")), "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Add", "Div", "Max", "Mean", "Min", "Mul", "Pow", "PRelu", "Sub", "Sum"})
  void requests_operatorOfTwoInputs_areThoseOfTheEngine(String operator) throws Exception {
    assertPredicted(
        List.of(
            transpose("x", "a2"), // freed after the operator, as a is
            node(operator, List.of("a", "a2"), "b")),
        "b");
  }

  @ParameterizedTest
  @ValueSource(longs = {DataType.FLOAT_VALUE, DataType.INT32_VALUE, DataType.INT64_VALUE})
  void requests_cast_areThoseOfTheEngine(long type) throws Exception {
    NodeProto cast =
        node("Cast", List.of("a"), "b").toBuilder()
            .addAttribute(
                AttributeProto.newBuilder()
                    .setName("to")
                    .setType(AttributeProto.AttributeType.INT)
                    .setI(type))
            .build();
    assertPredicted(List.of(cast), "b");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void requests_resultsWithoutReaders_liveUntilTheEndOfTheRun(int count) throws Exception {
    List<NodeProto> between = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      between.add(transpose("a", "unused" + i));
    }
    assertFirstRun(model(between, "a"));
  }

  private void assertPredicted(List<NodeProto> between, String last) throws Exception {
    Measured measured = assertFirstRun(model(between, last));
    assertThat(measured.prediction().blockBytes())
        .isEqualTo(blockBytes(measured.runs().runs().get(1)));
  }

  private record Measured(EnginePrediction prediction, RecordedRuns runs) {}

  private static ModelProto model(List<NodeProto> between, String last) {
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .setName("test")
            .addInput(input())
            .addNode(transpose("x", "a"))
            .addAllNode(between)
            .addNode(transpose(last, "c"))
            .addNode(transpose("c", "y"))
            .addOutput(ValueInfoProto.newBuilder().setName("y"));
    return ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
        .setGraph(graph)
        .build();
  }

  private Measured assertFirstRun(ModelProto model) throws Exception {
    Path file = folder.resolve("model.onnx");
    Files.write(file, model.toByteArray());
    EngineSettings settings = EngineSettings.defaults().withOptimizationLevel(0);
    RecordedRuns runs = RecordedRuns.of(file, Map.of(), settings, 2);
    EnginePrediction prediction =
        EnginePrediction.of(
            OptimizedModel.of("test", model, runs.optimized(), settings),
            Map.of(),
            WorkspaceCalibration.none());
    EngineArena arena = new EngineArena();
    arena.handle(runs.load());
    arena.handle(RecordedUse.flat(runs.runs().getFirst()));
    assertThat(prediction.firstRun()).isEqualTo(ArenaUse.of(arena));
    return new Measured(prediction, runs);
  }

  /** {@return the size of the first request of a run} */
  private static long blockBytes(List<List<Request>> run) {
    return RecordedUse.flat(run).getFirst() instanceof Request.Allocate(int id, long bytes)
        ? bytes
        : 0;
  }

  private static ValueInfoProto input() {
    ValueInfoProto.Builder input = ValueInfoProto.newBuilder().setName("x");
    input.getTypeBuilder().getTensorTypeBuilder().setElemType(DataType.FLOAT_VALUE);
    for (int axis = 0; axis < 2; axis++) {
      input
          .getTypeBuilder()
          .getTensorTypeBuilder()
          .getShapeBuilder()
          .addDimBuilder()
          .setDimValue(ROWS);
    }
    return input.build();
  }

  private static NodeProto transpose(String input, String output) {
    return node("Transpose", List.of(input), output);
  }

  private static NodeProto node(String operator, List<String> inputs, String output) {
    return NodeProto.newBuilder()
        .setOpType(operator)
        .setName(output)
        .addAllInput(inputs)
        .addOutput(output)
        .build();
  }
}
