package dev.stowage.onnx.symbolic;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.testing.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models that no program wrote: any operators with any inputs and attributes. */
class HostileModelsTest {

  private static final int SEED_COUNT = 20;
  private static final int GRAPHS_PER_SEED = 150;

  private static final DimensionRanges RANGES =
      DimensionRanges.of(new DimensionRange("n", 1, 8), new DimensionRange("?size 0", 2, 9));

  private static final long[] NUMBERS = {
    0, 1, -1, 2, 3, 4, -2, 7, 64, 1000, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private static final List<String> ATTRIBUTES =
      List.of(
          "axis",
          "axes",
          "perm",
          "to",
          "value",
          "keepdims",
          "kernel_shape",
          "strides",
          "pads",
          "dilations",
          "group",
          "auto_pad",
          "ceil_mode",
          "output_padding",
          "output_shape",
          "split",
          "num_outputs",
          "starts",
          "ends",
          "shape",
          "blocksize",
          "batch_dims",
          "equation",
          "hidden_size",
          "direction",
          "layout",
          "num_heads",
          "kv_num_heads",
          "q_num_heads",
          "scales",
          "k",
          "start",
          "end",
          "allowzero",
          "dtype",
          "transA",
          "body",
          "then_branch",
          "else_branch",
          "num_scan_inputs",
          "scan_input_axes",
          "scan_output_axes",
          "N",
          "border",
          "noop_with_empty_axes",
          "qkv_hidden_sizes",
          "onesided",
          "reduction",
          "stash_type");

  static LongStream seeds() {
    return Seeds.of(SEED_COUNT);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyOperators_neverFails(long seed) throws MalformedFileException {
    Random random = new Random(seed);
    for (int i = 0; i < GRAPHS_PER_SEED; i++) {
      assertRead(new AnyModel(random).build());
    }
  }

  private static void assertRead(ModelProto model) throws MalformedFileException {
    ModelGraph graph = GraphAssembly.assemble("hostile.onnx", model);
    SymbolicTypes types = SymbolicTypes.of(graph, RANGES, Map.of());
    for (GraphValue value : graph.values()) {
      if (types.bytes(value) instanceof SymbolicBytes.Known known) {
        assertThat(known.bytes().dimensions()).isSubsetOf(FixedDimensions.openIn(graph));
      }
    }
  }

  /** Draws operators, their inputs and their attributes. */
  private static final class AnyModel {

    private final Random random;
    private final GraphProto.Builder graph = GraphProto.newBuilder();
    private final List<String> operators = OperatorRules.names();

    AnyModel(Random random) {
      this.random = random;
    }

    ModelProto build() {
      addSources(graph);
      int count = 1 + random.nextInt(12);
      for (int i = 0; i < count; i++) {
        graph.addNode(anyNode("r" + i, i, 2));
      }
      return ModelProto.newBuilder()
          .setIrVersion(8)
          .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(6 + random.nextInt(17)))
          .setGraph(graph)
          .build();
    }

    private void addSources(GraphProto.Builder into) {
      for (int i = 0; i < 4; i++) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        int rank = random.nextInt(6);
        for (int axis = 0; axis < rank; axis++) {
          switch (random.nextInt(4)) {
            case 0 -> shape.addDimBuilder().setDimParam("n");
            case 1 -> shape.addDimBuilder().setDimParam("?size 0");
            case 2 -> shape.addDimBuilder().setDimParam(" ");
            default -> shape.addDimBuilder().setDimValue(number());
          }
        }
        into.addInput(
            ValueInfoProto.newBuilder()
                .setName("x" + i)
                .setType(
                    TypeProto.newBuilder()
                        .setTensorType(
                            TypeProto.Tensor.newBuilder()
                                .setElemType(random.nextInt(24))
                                .setShape(shape))));
        into.addInitializer(numbers(random.nextInt(7)).setName("c" + i));
      }
    }

    private TensorProto.Builder numbers(int count) {
      TensorProto.Builder tensor = TensorProto.newBuilder().setDataType(7);
      if (count != 1 || random.nextBoolean()) {
        tensor.addDims(count);
      }
      for (int i = 0; i < count; i++) {
        tensor.addInt64Data(number());
      }
      return tensor;
    }

    private long number() {
      return NUMBERS[random.nextInt(random.nextInt(3) == 0 ? NUMBERS.length : 8)];
    }

    private NodeProto anyNode(String result, int earlier, int depth) {
      boolean isControl = depth > 0 && random.nextInt(8) == 0;
      NodeProto.Builder node =
          NodeProto.newBuilder()
              .setOpType(
                  isControl
                      ? List.of("If", "Loop", "Scan").get(random.nextInt(3))
                      : operators.get(random.nextInt(operators.size())));
      if (!isControl && random.nextInt(10) == 0) {
        node.setDomain("com.microsoft");
      }
      int inputCount = random.nextInt(6);
      for (int i = 0; i < inputCount; i++) {
        node.addInput(anyName(earlier));
      }
      int outputCount = 1 + random.nextInt(3);
      for (int i = 0; i < outputCount; i++) {
        node.addOutput(i == 0 ? result : result + "_" + i);
      }
      int attributeCount = random.nextInt(5);
      for (int i = 0; i < attributeCount; i++) {
        node.addAttribute(anyAttribute());
      }
      if (isControl) {
        for (String name : List.of("body", "then_branch", "else_branch")) {
          node.addAttribute(
              AttributeProto.newBuilder().setName(name).setG(anyBody(earlier, depth - 1)));
        }
      }
      return node.build();
    }

    private String anyName(int earlier) {
      return switch (random.nextInt(5)) {
        case 0 -> "";
        case 1 -> "x" + random.nextInt(4);
        case 2 -> "c" + random.nextInt(4);
        default -> earlier == 0 ? "x0" : "r" + random.nextInt(earlier);
      };
    }

    private AttributeProto anyAttribute() {
      AttributeProto.Builder attribute =
          AttributeProto.newBuilder()
              .setName(ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size())))
              .setI(number())
              .setF(random.nextFloat())
              .setS(ByteString.copyFromUtf8(random.nextBoolean() ? "SAME_UPPER" : "ij,jk->...ik"));
      int count = random.nextInt(6);
      for (int i = 0; i < count; i++) {
        attribute.addInts(number()).addFloats(random.nextInt(4));
      }
      attribute.setT(numbers(random.nextInt(3)));
      return attribute.build();
    }

    private GraphProto anyBody(int earlier, int depth) {
      GraphProto.Builder body = GraphProto.newBuilder();
      int inputCount = random.nextInt(4);
      for (int i = 0; i < inputCount; i++) {
        body.addInput(ValueInfoProto.newBuilder().setName("b" + i));
      }
      int count = random.nextInt(4);
      for (int i = 0; i < count; i++) {
        body.addNode(anyNode("i" + depth + i, earlier, depth));
        body.addOutput(ValueInfoProto.newBuilder().setName("i" + depth + i));
      }
      return body.build();
    }
  }

  @Test
  void of_functionsThatCallEachOther_ends() throws MalformedFileException {
    ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(8);
    for (int i = 0; i < 200; i++) {
      FunctionProto.Builder function =
          FunctionProto.newBuilder().setDomain("f").setName("f" + i).addInput("p").addOutput("q");
      for (int call = 0; call < 2; call++) {
        function.addNode(
            NodeProto.newBuilder()
                .setDomain("f")
                .setOpType("f" + (i + 1) % 200)
                .addInput("p")
                .addOutput("q"));
      }
      model.addFunctions(function);
    }
    model
        .getGraphBuilder()
        .addNode(
            NodeProto.newBuilder().setDomain("f").setOpType("f0").addInput("x").addOutput("y"));

    assertRead(model.build());
  }

  @Test
  void of_sizesThatGrowWithEachOperator_areUnknownAtTheEnd() throws MalformedFileException {
    GraphProto.Builder graph = GraphProto.newBuilder();
    graph.addInput(
        ValueInfoProto.newBuilder()
            .setName("r0")
            .setType(
                TypeProto.newBuilder()
                    .setTensorType(
                        TypeProto.Tensor.newBuilder()
                            .setElemType(1)
                            .setShape(
                                TensorShapeProto.newBuilder()
                                    .addDim(
                                        TensorShapeProto.Dimension.newBuilder()
                                            .setDimParam("n"))))));
    for (int i = 0; i < 200; i++) {
      graph.addNode(NodeProto.newBuilder().setOpType("Shape").addInput("r" + i).addOutput("s" + i));
      graph.addNode(
          NodeProto.newBuilder()
              .setOpType("Tile")
              .addInput("r" + i)
              .addInput("s" + i)
              .addOutput("r" + (i + 1)));
    }
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .setGraph(graph)
            .build();

    ModelGraph assembled = GraphAssembly.assemble("hostile.onnx", model);
    SymbolicTypes types = SymbolicTypes.of(assembled, RANGES, Map.of());
    assertThat(types.bytes(assembled.value("r3").orElseThrow()))
        .hasToString("Known[bytes=4*n*n*n*n*n*n*n*n]");
    assertThat(types.bytes(assembled.value("r200").orElseThrow()))
        .isInstanceOf(SymbolicBytes.Missing.class);
  }
}
