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
import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests of ONNX Runtime for packed weights while it creates sessions of quantized operators. The
 * numbers of rows are multiples of 64, for which all processors have the same packing.
 */
class PackedWeightsTest {

  private static final long IR_VERSION = 8;
  private static final long OPERATORS_VERSION = 17;
  private static final int FLOAT = DataType.FLOAT_VALUE;
  private static final int FLOAT16 = DataType.FLOAT16_VALUE;
  private static final int UNSIGNED = DataType.UINT8_VALUE;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"64, 5, 2", "64, 5, 3", "128, 40, 2", "128, 40, 3"})
  void load_matrixOfBytes_isThatOfTheEngine(long rows, long columns, int type) throws Exception {
    assertPredicted(
        node("MatMulInteger", "x", "w").build(),
        input(UNSIGNED, 3, rows),
        weight("w", type, rows, columns));
  }

  @ParameterizedTest
  @CsvSource({"2", "3"})
  void load_matrixOfDynamicallyQuantizedOperator_isThatOfTheEngine(int type) throws Exception {
    assertPredicted(
        contributed("DynamicQuantizeMatMul", "x", "w", "s").build(),
        input(FLOAT, 3, 64),
        weight("w", type, 64, 40),
        weight("s", FLOAT));
  }

  @ParameterizedTest
  @CsvSource({"QLinearMatMul, 2", "QLinearMatMul, 3", "QGemm, 2", "QGemm, 3"})
  void load_matrixOfQuantizedOperator_isThatOfTheEngine(String operator, int type)
      throws Exception {
    boolean isGemm = operator.equals("QGemm");
    NodeProto.Builder node =
        isGemm
            ? contributed(operator, "x", "s", "zx", "w", "s", "zw", "", "s", "zx")
                .addAttribute(integer("transB", 1))
            : node(operator, "x", "s", "zx", "w", "s", "zw", "s", "zx");
    assertPredicted(
        node.build(),
        input(UNSIGNED, 3, 64),
        isGemm ? weight("w", type, 40, 64) : weight("w", type, 64, 40),
        weight("s", FLOAT),
        weight("zx", UNSIGNED),
        weight("zw", type));
  }

  /** Groups, input and output channels of a group; then the types of input and weights. */
  @ParameterizedTest
  @CsvSource({
    "1, 64, 40, 2, 2",
    "1, 64, 40, 2, 3",
    "1, 64, 18, 2, 3",
    "1, 64, 40, 3, 3",
    "1, 16, 20, 2, 3",
    "2, 64, 10, 2, 2",
    "2, 64, 10, 2, 3",
    "32, 1, 1, 2, 2",
    "32, 1, 1, 2, 3",
    "24, 1, 1, 2, 3",
    "32, 1, 1, 3, 3"
  })
  void load_quantizedConvolution_isThatOfTheEngine(
      long groups, long inputs, long outputs, int type, int weightType) throws Exception {
    assertPredicted(
        node("QLinearConv", "x", "s", "zx", "w", "s", "zw", "s", "zx")
            .addAttribute(integer("group", groups))
            .build(),
        input(type, 1, groups * inputs, 9, 9),
        weight("w", weightType, groups * outputs, inputs, 3, 3),
        weight("s", FLOAT),
        weight("zx", type),
        weight("zw", weightType));
  }

  /** Bits, elements of a block, level of accuracy and type of scales. */
  @ParameterizedTest
  @CsvSource({
    "4, 16, 0, 1",
    "4, 32, 4, 1",
    "4, 32, 4, 10",
    "4, 128, 0, 10",
    "8, 32, 0, 1",
    "8, 64, 4, 1",
    "8, 32, 4, 10"
  })
  void load_weightsInBlocks_areThoseOfTheEngine(long bits, long block, long level, int type)
      throws Exception {
    long rows = 320;
    long columns = 40;
    long blocks = Math.ceilDiv(rows, block);
    assertPredicted(
        contributed("MatMulNBits", "x", "w", "s")
            .addAttribute(integer("K", rows))
            .addAttribute(integer("N", columns))
            .addAttribute(integer("bits", bits))
            .addAttribute(integer("block_size", block))
            .addAttribute(integer("accuracy_level", level))
            .build(),
        input(type, 3, rows),
        weight("w", UNSIGNED, columns, blocks, block * bits / 8),
        weight("s", type, columns * blocks));
  }

  @ParameterizedTest
  @CsvSource({"2", "3"})
  void load_quantizedAttention_isThatOfTheEngine(int type) throws Exception {
    assertPredicted(
        contributed("QAttention", "x", "w", "b", "s", "s", "", "zx", "zw")
            .addAttribute(integer("num_heads", 2))
            .build(),
        input(UNSIGNED, 1, 3, 64),
        weight("w", type, 64, 192),
        weight("b", FLOAT, 192),
        weight("s", FLOAT),
        weight("zx", UNSIGNED),
        weight("zw", type));
  }

  @ParameterizedTest
  @CsvSource({"2", "3"})
  void load_dynamicallyQuantizedLstm_isThatOfTheEngine(int type) throws Exception {
    assertPredicted(quantizedLstm(), input(FLOAT, 4, 1, 128), weightsOfLstm(type));
  }

  /** The use of the arena that requests of these versions led to. */
  @ParameterizedTest
  @CsvSource({
    "V1_20, 85504, 1099776",
    "V1_23, 51712, 1099776",
    "V1_26, 51205, 51205",
    "V1_28, 51205, 51205",
    "V1_29, 51205, 51205"
  })
  void load_otherVersion_isTheOneRecordedWithIt(EngineVersion version, long inUse, long allocated) {
    GraphProto graph = graph(quantizedLstm(), input(FLOAT, 4, 1, 128), weightsOfLstm(UNSIGNED));
    EngineSettings settings = EngineSettings.defaults().withVersion(version);
    assertThat(RecordedUse.use(LoadRequests.of(graph, settings)))
        .isEqualTo(new ArenaUse(inUse, allocated));
  }

  private static NodeProto quantizedLstm() {
    return contributed(
            "DynamicQuantizeLSTM", "x", "w", "r", "b", "", "", "", "", "s", "z", "s", "z")
        .addAttribute(integer("hidden_size", 64))
        .build();
  }

  private static TensorProto[] weightsOfLstm(int type) {
    return new TensorProto[] {
      weight("w", type, 1, 128, 256),
      weight("r", type, 1, 64, 256),
      weight("b", FLOAT, 1, 512),
      weight("s", FLOAT, 1),
      weight("z", type, 1)
    };
  }

  /** Kernels for 16-bit numbers read the weights as they are, or convert them in each run. */
  @ParameterizedTest
  @CsvSource({"MatMul", "Gemm"})
  void load_halfPrecision_isThatOfTheEngine(String operator) throws Exception {
    assertPredicted(
        node(operator, "x", "w").build(), input(FLOAT16, 3, 64), weight("w", FLOAT16, 64, 40));
  }

  private static GraphProto graph(NodeProto node, ValueInfoProto input, TensorProto... weights) {
    return GraphProto.newBuilder()
        .setName("test")
        .addInput(input)
        .addNode(node)
        .addAllInitializer(List.of(weights))
        .addOutput(ValueInfoProto.newBuilder().setName("y"))
        .build();
  }

  private void assertPredicted(NodeProto node, ValueInfoProto input, TensorProto... weights)
      throws Exception {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(IR_VERSION)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1))
            .setGraph(graph(node, input, weights))
            .build();
    Path file = folder.resolve("model.onnx");
    Files.write(file, model.toByteArray());
    EngineSettings settings = EngineSettings.defaults().withOptimizationLevel(0);
    RecordedRuns runs = RecordedRuns.of(file, Map.of(), settings, 0);
    ArenaUse predicted = RecordedUse.use(LoadRequests.of(runs.optimized().getGraph(), settings));
    assertThat(predicted).isEqualTo(RecordedUse.use(runs.load()));
  }

  private static NodeProto.Builder node(String operator, String... inputs) {
    return NodeProto.newBuilder()
        .setOpType(operator)
        .setName("node")
        .addAllInput(List.of(inputs))
        .addOutput("y");
  }

  private static NodeProto.Builder contributed(String operator, String... inputs) {
    return node(operator, inputs).setDomain("com.microsoft");
  }

  private static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)
        .build();
  }

  private static ValueInfoProto input(int type, long... shape) {
    ValueInfoProto.Builder input = ValueInfoProto.newBuilder().setName("x");
    input.getTypeBuilder().getTensorTypeBuilder().setElemType(type);
    for (long size : shape) {
      input
          .getTypeBuilder()
          .getTensorTypeBuilder()
          .getShapeBuilder()
          .addDimBuilder()
          .setDimValue(size);
    }
    return input.build();
  }

  private static TensorProto weight(String name, int type, long... shape) {
    TensorProto.Builder weight = TensorProto.newBuilder().setName(name).setDataType(type);
    int bytes = type == FLOAT ? Float.BYTES : type == FLOAT16 ? Short.BYTES : Byte.BYTES;
    for (long size : shape) {
      weight.addDims(size);
      bytes *= Math.toIntExact(size);
    }
    return weight.setRawData(ByteString.copyFrom(new byte[bytes])).build();
  }
}
