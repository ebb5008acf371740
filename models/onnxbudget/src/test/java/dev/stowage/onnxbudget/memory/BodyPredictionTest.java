package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Predictions for models with bodies, whose tensors have 256 KiB each. */
class BodyPredictionTest {

  private static final long IR_VERSION = 8;
  private static final long OPERATORS_VERSION = 17;
  private static final int ROWS = 256;
  private static final int FLOAT = DataType.FLOAT_VALUE;

  /**
   * The difference for a loop with more iterations, in which the arena splits other chunks: one
   * tensor.
   */
  private static final long TENSOR_BYTES = (long) ROWS * ROWS * Float.BYTES;

  @TempDir private Path folder;

  @Test
  void predict_branch_hasTheTensorsOfTheBranch() throws Exception {
    GraphProto.Builder branch =
        GraphProto.newBuilder()
            .setName("branch")
            .addNode(transpose("a", "b"))
            .addNode(transpose("b", "c"))
            .addNode(node("Add", "d", "b", "c"))
            .addOutput(tensor("d"));
    assertPredicted(
        GraphProto.newBuilder()
            .addInput(tensor("x"))
            .addInitializer(
                TensorProto.newBuilder()
                    .setName("condition")
                    .setDataType(DataType.BOOL_VALUE)
                    .addInt32Data(1))
            .addNode(transpose("x", "a"))
            .addNode(
                node("If", "e", "condition")
                    .addAttribute(body("then_branch", branch))
                    .addAttribute(body("else_branch", branch)))
            .addNode(transpose("e", "y")),
        0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void predict_loop_hasTheTensorsOfIterations(int count) throws Exception {
    GraphProto.Builder body =
        GraphProto.newBuilder()
            .setName("body")
            .addInput(scalar("i", DataType.INT64_VALUE))
            .addInput(scalar("condition", DataType.BOOL_VALUE))
            .addInput(tensor("s"))
            .addNode(node("Identity", "next", "condition"))
            .addNode(transpose("s", "b"))
            .addNode(transpose("b", "c"))
            .addNode(node("Add", "t", "b", "c"))
            .addNode(transpose("c", "collected"))
            .addOutput(scalar("next", DataType.BOOL_VALUE))
            .addOutput(tensor("t"))
            .addOutput(tensor("collected"));
    assertPredicted(
        GraphProto.newBuilder()
            .addInput(tensor("x"))
            .addInitializer(
                TensorProto.newBuilder()
                    .setName("count")
                    .setDataType(DataType.INT64_VALUE)
                    .addInt64Data(count))
            .addNode(transpose("x", "a"))
            .addNode(
                node("Loop", "e", "count", "", "a").addOutput("f").addAttribute(body("body", body)))
            .addValueInfo(tensor("e")) // ONNX Runtime does not infer the shape
            .addNode(transpose("e", "y"))
            .addOutput(shaped("f", FLOAT, count, ROWS, ROWS)),
        count <= 2 ? 0 : TENSOR_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void predict_scan_hasTheTensorsOfSlices(int count) throws Exception {
    GraphProto.Builder body =
        GraphProto.newBuilder()
            .setName("body")
            .addInput(tensor("s"))
            .addInput(tensor("slice"))
            .addNode(transpose("slice", "b"))
            .addNode(transpose("b", "c"))
            .addNode(node("Add", "d", "b", "c"))
            .addNode(node("Add", "t", "s", "d"))
            .addNode(transpose("c", "collected"))
            .addOutput(tensor("t"))
            .addOutput(tensor("collected"));
    assertPredicted(
        GraphProto.newBuilder()
            .addInput(tensor("x"))
            .addInput(shaped("slices", FLOAT, count, ROWS, ROWS))
            .addNode(transpose("x", "a"))
            .addNode(
                node("Scan", "e", "a", "slices")
                    .addOutput("f")
                    .addAttribute(
                        AttributeProto.newBuilder()
                            .setName("num_scan_inputs")
                            .setType(AttributeProto.AttributeType.INT)
                            .setI(1))
                    .addAttribute(body("body", body)))
            .addNode(transpose("e", "y"))
            .addOutput(shaped("f", FLOAT, count, ROWS, ROWS)),
        0);
  }

  private void assertPredicted(GraphProto.Builder graph, long tolerance) throws Exception {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(IR_VERSION)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
            .setGraph(graph.setName("test").addOutput(tensor("y")))
            .build();
    Path file = folder.resolve("model.onnx");
    Files.write(file, model.toByteArray());
    EngineSettings settings = EngineSettings.defaults().withOptimizationLevel(0);
    RecordedRuns runs = RecordedRuns.of(file, Map.of(), settings, 2);
    EnginePrediction prediction =
        EnginePrediction.of(
            OptimizedModel.of("test", runs.original(), runs.optimized(), settings),
            Map.of(),
            WorkspaceCalibration.none());
    long measured = RecordedUse.use(RecordedUse.all(runs)).maxInUseBytes();
    assertThat(prediction.notes()).isEmpty();
    assertThat(prediction.laterRuns().maxInUseBytes())
        .isBetween(measured - tolerance, measured + tolerance);
  }

  private static NodeProto.Builder transpose(String input, String output) {
    return node("Transpose", output, input);
  }

  private static NodeProto.Builder node(String operator, String output, String... inputs) {
    return NodeProto.newBuilder()
        .setOpType(operator)
        .setName(output)
        .addAllInput(List.of(inputs))
        .addOutput(output);
  }

  private static AttributeProto body(String name, GraphProto.Builder body) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.GRAPH)
        .setG(body)
        .build();
  }

  private static ValueInfoProto tensor(String name) {
    return shaped(name, FLOAT, ROWS, ROWS);
  }

  private static ValueInfoProto scalar(String name, int type) {
    return shaped(name, type);
  }

  private static ValueInfoProto shaped(String name, int type, long... shape) {
    ValueInfoProto.Builder value = ValueInfoProto.newBuilder().setName(name);
    value.getTypeBuilder().getTensorTypeBuilder().setElemType(type).getShapeBuilder();
    for (long size : shape) {
      value
          .getTypeBuilder()
          .getTensorTypeBuilder()
          .getShapeBuilder()
          .addDimBuilder()
          .setDimValue(size);
    }
    return value.build();
  }
}
