package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.FLOAT16;
import static dev.stowage.onnx.TestGraph.INT32;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.integers;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.text;
import static dev.stowage.onnx.TestGraph.value;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.core.plan.TensorScope;
import dev.stowage.core.plan.shapes.DimensionRange;
import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.DimensionValues;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule of each group of operators, compared with the shapes that ONNX Runtime infers. */
class OnnxReaderSymbolicRulesTest {

  private static final int UINT8 = 2;
  private static final int INT8 = 3;
  private static final AttributeProto NO_KEEP = integer("keepdims", 0);

  /** {@return a graph with an image, whose result is {@code y}} */
  private static TestGraph image(String operator, String inputs, AttributeProto... attributes) {
    return new TestGraph()
        .input("x", FLOAT, "n", 6, "h", "w")
        .weights("kernel", 8, 6, 3, 3)
        .weights("depthwise", 12, 1, 5, 3)
        .weights("back", 6, 4, 3, 3)
        .weights("channels", 6)
        .node(operator, inputs, "y", attributes)
        .outputs("y");
  }

  /** {@return a graph with a matrix for each element of a batch, whose result is {@code y}} */
  private static TestGraph matrices(String operator, String inputs, AttributeProto... attributes) {
    return matrices().node(operator, inputs, "y", attributes).outputs("y");
  }

  private static TestGraph matrices() {
    return new TestGraph()
        .input("x", FLOAT, "b", "s", 8)
        .input("row", FLOAT, 1, 8)
        .input("same", FLOAT, "b", 1, 8)
        .input("ids", INT64, "b", "s")
        .input("flags", BOOL, "b", "s", 1)
        .weights("matrix", 8, 5)
        .integers("axis1", 1)
        .integers("axes02", 0, 2)
        .integers("minus1", -1)
        .integers("zero", 0)
        .integers("two", 2)
        .integers("far", Long.MAX_VALUE);
  }

  private static List<Long> list(long... numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  static Stream<Arguments> graphs() {
    List<Arguments> graphs = new ArrayList<>();
    addElementwise(graphs);
    addWindows(graphs);
    addMatrices(graphs);
    addLayouts(graphs);
    addSelections(graphs);
    addShapes(graphs);
    addLayers(graphs);
    addBodies(graphs);
    return graphs.stream();
  }

  private static void add(List<Arguments> graphs, String name, TestGraph graph) {
    graphs.add(Arguments.of(name, graph));
  }

  private static void addElementwise(List<Arguments> graphs) {
    add(graphs, "Relu", matrices("Relu", "x"));
    add(graphs, "Add with a row", matrices("Add", "x row"));
    add(graphs, "Mul with a length of 1", matrices("Mul", "x same"));
    add(graphs, "Equal", matrices("Equal", "x row"));
    add(graphs, "Cast", matrices("Cast", "x", integer("to", FLOAT16)));
    add(graphs, "CastLike", matrices("CastLike", "ids row"));
    add(graphs, "Where", matrices("Where", "flags x row"));
    add(graphs, "Max", matrices("Max", "x row same"));
    add(graphs, "Not", matrices("Not", "flags"));
    add(graphs, "Softmax", matrices("Softmax", "x"));
    add(graphs, "CumSum", matrices("CumSum", "x axis1"));
    add(graphs, "Trilu", matrices("Trilu", "x"));
    add(graphs, "IsNaN", matrices("IsNaN", "x"));
    add(
        graphs,
        "a dimension against a dimension",
        new TestGraph()
            .input("x", FLOAT, "b", "s")
            .input("z", FLOAT, "b", 1)
            .node("Add", "x z", "y")
            .outputs("y"));
    add(
        graphs,
        "QuantizeLinear",
        matrices().node("QuantizeLinear", "x scale", "y").weights("scale").outputs("y"));
    add(
        graphs,
        "DynamicQuantizeLinear",
        matrices()
            .node("DynamicQuantizeLinear", "x", "q scale zero_point")
            .node("DequantizeLinear", "q scale zero_point", "y")
            .outputs("y"));
  }

  private static void addWindows(List<Arguments> graphs) {
    AttributeProto stride = integers("strides", list(2, 2));
    AttributeProto pads = integers("pads", list(1, 0, 1, 2));
    AttributeProto small = integers("pads", list(1, 0, 1, 1));
    AttributeProto window = integers("kernel_shape", list(3, 2));
    add(graphs, "Conv", image("Conv", "x kernel"));
    add(graphs, "Conv with stride and pads", image("Conv", "x kernel", stride, pads));
    add(
        graphs,
        "Conv with a dilation",
        image("Conv", "x kernel", integers("dilations", list(2, 3))));
    add(graphs, "Conv of groups", image("Conv", "x depthwise", integer("group", 6), stride));
    for (String mode : List.of("SAME_UPPER", "SAME_LOWER", "VALID")) {
      add(graphs, "Conv " + mode, image("Conv", "x kernel", stride, text("auto_pad", mode)));
      add(graphs, "MaxPool " + mode, image("MaxPool", "x", window, stride, text("auto_pad", mode)));
    }
    add(graphs, "ConvTranspose", image("ConvTranspose", "x back", stride));
    add(
        graphs,
        "ConvTranspose with pads",
        image(
            "ConvTranspose",
            "x back",
            stride,
            pads,
            integers("output_padding", list(1, 1)),
            integer("group", 2)));
    add(graphs, "MaxPool", image("MaxPool", "x", window));
    add(graphs, "MaxPool with stride", image("MaxPool", "x", window, stride, small));
    add(graphs, "MaxPool ceil", image("MaxPool", "x", window, stride, integer("ceil_mode", 1)));
    add(
        graphs,
        "MaxPool ceil with pads",
        image("MaxPool", "x", window, stride, small, integer("ceil_mode", 1)));
    add(
        graphs,
        "AveragePool ceil with pads",
        image("AveragePool", "x", window, stride, small, integer("ceil_mode", 1)));
    add(
        graphs,
        "AveragePool",
        image("AveragePool", "x", integers("kernel_shape", list(3, 3)), stride));
    add(
        graphs,
        "MaxPool with indices",
        new TestGraph()
            .input("x", FLOAT, "n", 6, "h", "w")
            .node("MaxPool", "x", "y indices", window)
            .outputs("y indices"));
    add(graphs, "GlobalAveragePool", image("GlobalAveragePool", "x"));
    add(
        graphs,
        "BatchNormalization",
        image("BatchNormalization", "x channels channels channels channels"));
    add(graphs, "InstanceNormalization", image("InstanceNormalization", "x channels channels"));
    add(graphs, "LRN", image("LRN", "x", integer("size", 3)));
    add(graphs, "DepthToSpace", depth("DepthToSpace", "n", 12, "h", "w"));
    add(graphs, "SpaceToDepth", depth("SpaceToDepth", "n", 3, 8, 12));
    add(
        graphs,
        "ConvInteger",
        new TestGraph()
            .input("x", UINT8, "n", 6, "h", "w")
            .input("k", UINT8, 8, 6, 3, 3)
            .node("ConvInteger", "x k", "y")
            .outputs("y"));
    add(
        graphs,
        "Resize with scales",
        image("Resize", "x _ scales").weights("scales", new float[] {1, 1, 2, 1.5f}, 4));
    add(
        graphs,
        "Resize with computed sizes",
        new TestGraph()
            .input("x", FLOAT, "n", 6, "h", "w")
            .input("z", FLOAT, "n", 6, "p", "q")
            .node("Shape", "z", "sizes")
            .node("Resize", "x _ _ sizes", "y")
            .outputs("y"));
  }

  private static TestGraph depth(String operator, Object... dimensions) {
    return new TestGraph()
        .input("x", FLOAT, dimensions)
        .node(operator, "x", "y", integer("blocksize", 2))
        .outputs("y");
  }

  private static void addMatrices(List<Arguments> graphs) {
    add(graphs, "MatMul", matrices("MatMul", "x matrix"));
    add(
        graphs,
        "MatMul of stacks",
        new TestGraph()
            .input("x", FLOAT, "b", 4, "s", 8)
            .input("z", FLOAT, 1, 4, 8, "t")
            .node("MatMul", "x z", "y")
            .outputs("y"));
    add(
        graphs,
        "MatMul with a vector",
        matrices().weights("vector", 8).node("MatMul", "x vector", "y").outputs("y"));
    add(
        graphs,
        "Gemm",
        new TestGraph()
            .input("x", FLOAT, 8, "b")
            .weights("w", 5, 8)
            .node("Gemm", "x w", "y", integer("transA", 1), integer("transB", 1))
            .outputs("y"));
    add(graphs, "Einsum", matrices("Einsum", "x matrix", text("equation", "bsi,io->bos")));
    add(
        graphs,
        "Einsum with dots",
        matrices("Einsum", "x matrix", text("equation", "...i,io->...o")));
    add(
        graphs,
        "MatMulInteger",
        new TestGraph()
            .input("x", UINT8, "b", 8)
            .input("z", INT8, 8, "t")
            .node("MatMulInteger", "x z", "y")
            .outputs("y"));
    add(graphs, "ReduceMean", matrices("ReduceMean", "x", integers("axes", list(-1))));
    add(graphs, "ReduceSum", matrices("ReduceSum", "x axes02", NO_KEEP));
    add(graphs, "ReduceMax", matrices("ReduceMax", "x"));
    add(graphs, "ArgMax", matrices("ArgMax", "x", integer("axis", 1), NO_KEEP));
  }

  private static void addLayouts(List<Arguments> graphs) {
    add(graphs, "Transpose", matrices("Transpose", "x", integers("perm", list(2, 0, 1))));
    add(graphs, "Transpose backwards", matrices("Transpose", "x"));
    add(graphs, "Flatten", matrices("Flatten", "x", integer("axis", 2)));
    add(graphs, "Squeeze", matrices("Squeeze", "same axis1"));
    add(graphs, "Unsqueeze", matrices("Unsqueeze", "x axes02"));
    add(
        graphs,
        "Reshape",
        matrices().integers("shape", 0, -1, 2, 4).node("Reshape", "x shape", "y").outputs("y"));
    add(
        graphs,
        "Reshape of all",
        matrices().integers("shape", -1, 8).node("Reshape", "x shape", "y").outputs("y"));
    add(graphs, "Concat", matrices("Concat", "x x same", integer("axis", 1)));
    add(
        graphs,
        "Split",
        matrices().node("Split", "x", "p1 p2 p3 p4", integer("axis", 2)).outputs("p1 p2 p3 p4"));
    add(
        graphs,
        "Split into parts",
        matrices()
            .integers("parts", 1, 7)
            .node("Split", "x parts", "one other", integer("axis", 2))
            .outputs("one other"));
    add(graphs, "Slice from 2", matrices("Slice", "x two far axis1"));
    add(graphs, "Slice to -1", matrices("Slice", "x zero minus1 axis1"));
    add(graphs, "Slice to 2", matrices("Slice", "x zero two axis1"));
    add(graphs, "Slice with a step", matrices("Slice", "x zero far axis1 two"));
    add(
        graphs,
        "Slice backwards",
        matrices()
            .integers("start", Long.MIN_VALUE)
            .node("Slice", "x minus1 start axis1 minus1", "y")
            .outputs("y"));
    add(
        graphs,
        "Expand",
        matrices().integers("shape", 3, 1, 1, 8).node("Expand", "x shape", "y").outputs("y"));
    add(
        graphs,
        "Tile",
        matrices().integers("counts", 1, 3, 2).node("Tile", "x counts", "y").outputs("y"));
    add(
        graphs,
        "Pad",
        matrices().integers("pads", 0, 1, 0, 0, 2, -3).node("Pad", "x pads", "y").outputs("y"));
  }

  private static void addSelections(List<Arguments> graphs) {
    add(graphs, "Gather", matrices("Gather", "matrix ids"));
    add(graphs, "Gather of an axis", matrices("Gather", "x two", integer("axis", -1)));
    add(
        graphs,
        "GatherElements",
        new TestGraph()
            .input("x", FLOAT, "b", 8)
            .input("z", INT64, "b", 3)
            .node("GatherElements", "x z", "y", integer("axis", 1))
            .outputs("y"));
    add(
        graphs,
        "GatherND",
        new TestGraph()
            .input("x", FLOAT, "b", "s", 8)
            .input("z", INT64, "t", 2)
            .node("GatherND", "x z", "y")
            .outputs("y"));
    add(
        graphs,
        "ScatterND",
        new TestGraph()
            .input("x", FLOAT, "b", "s", 8)
            .input("z", INT64, "t", 2)
            .input("u", FLOAT, "t", 8)
            .node("ScatterND", "x z u", "y")
            .outputs("y"));
    add(graphs, "TopK", matrices().node("TopK", "x two", "y indices").outputs("y indices"));
    add(
        graphs,
        "OneHot",
        matrices().integers("values", 0, 1).node("OneHot", "ids two values", "y").outputs("y"));
    add(graphs, "Shape", matrices("Shape", "x", integer("start", 1)));
    add(graphs, "Size", matrices("Size", "x"));
    add(
        graphs,
        "EyeLike",
        new TestGraph()
            .input("x", FLOAT, "b", "s")
            .node("EyeLike", "x", "y", integer("dtype", INT32))
            .outputs("y"));
  }

  /** Shapes that the graph computes from other shapes. */
  private static void addShapes(List<Arguments> graphs) {
    add(
        graphs,
        "Reshape to computed heads",
        matrices()
            .node("Shape", "x", "shape")
            .node("Gather", "shape zero", "batch")
            .node("Gather", "shape axis1", "steps")
            .integers("heads", 4)
            .node("Concat", "batch steps heads minus1", "target", integer("axis", 0))
            .node("Reshape", "x target", "split")
            .node("Transpose", "split", "y", integers("perm", list(0, 2, 1, 3)))
            .outputs("y"));
    add(
        graphs,
        "Range of a length",
        matrices()
            .node("Shape", "x", "shape")
            .node("Gather", "shape one", "steps")
            .node("Constant", "", "one", value(scalar(1)))
            .node("Constant", "", "none", value(scalar(0)))
            .node("Range", "none steps one", "y")
            .outputs("y"));
    add(
        graphs,
        "Expand to a computed shape",
        matrices().node("Shape", "x", "shape").node("Expand", "row shape", "y").outputs("y"));
    add(
        graphs,
        "ConstantOfShape",
        matrices()
            .node("Shape", "ids", "shape")
            .node("ConstantOfShape", "shape", "y", value(tensorOf(1)))
            .outputs("y"));
    add(
        graphs,
        "half of a length",
        matrices()
            .node("Shape", "x", "shape")
            .node("Slice", "shape axis1 two", "steps")
            .node("Div", "steps two", "half")
            .node("Mul", "half two", "even")
            .node("Slice", "x zero half axis1", "start")
            .node("Slice", "x half even axis1", "end")
            .node("Concat", "start end", "y", integer("axis", 2))
            .outputs("y"));
    add(
        graphs,
        "Where on a computed shape",
        matrices()
            .node("Shape", "x", "shape")
            .integers("wanted", -1, 1, 8)
            .integers("unknown", -1)
            .node("Equal", "wanted unknown", "isOpen")
            .node("Where", "isOpen shape wanted", "target")
            .node("Expand", "row target", "y")
            .outputs("y"));
    add(
        graphs,
        "pads in the order of another framework",
        matrices()
            .integers("pairs", 0, 0, 1, 2, 0, 0)
            .integers("shape", -1, 2)
            .node("Reshape", "pairs shape", "rows")
            .integers("start", Long.MIN_VALUE)
            .node("Slice", "rows minus1 start zero minus1", "turned")
            .node("Transpose", "turned", "columns", integers("perm", list(1, 0)))
            .node("Reshape", "columns minus1", "flat")
            .node("Cast", "flat", "pads", integer("to", INT64))
            .node("Pad", "x pads", "y")
            .outputs("y"));
    add(
        graphs,
        "ReduceProd of a shape",
        matrices()
            .node("Shape", "x", "shape")
            .node("ReduceProd", "shape", "count")
            .node("Reshape", "x count", "y")
            .outputs("y"));
  }

  private static TensorProto.Builder scalar(long number) {
    return tensorOf(number).clearDims();
  }

  private static void addLayers(List<Arguments> graphs) {
    for (String direction : List.of("forward", "bidirectional")) {
      long directions = direction.equals("forward") ? 1 : 2;
      for (String layer : List.of("LSTM", "GRU", "RNN")) {
        long gates = layer.equals("LSTM") ? 4 : layer.equals("GRU") ? 3 : 1;
        String results = layer.equals("LSTM") ? "y last cell" : "y last";
        add(
            graphs,
            layer + " " + direction,
            new TestGraph()
                .input("x", FLOAT, "s", "b", 8)
                .weights("w", directions, gates * 5, 8)
                .weights("r", directions, gates * 5, 5)
                .node(
                    layer,
                    "x w r",
                    results,
                    integer("hidden_size", 5),
                    text("direction", direction))
                .outputs(results));
      }
    }
    add(
        graphs,
        "LayerNormalization",
        matrices()
            .weights("scale", 8)
            .node("LayerNormalization", "x scale", "y mean deviation")
            .outputs("y mean deviation"));
    add(graphs, "Dropout", matrices().node("Dropout", "x", "y mask").outputs("y mask"));
    add(
        graphs,
        "FusedMatMul",
        matrices()
            .node("com.microsoft", "FusedMatMul", "x x", "y", integer("transB", 1))
            .outputs("y"));
    add(graphs, "FastGelu", matrices().node("com.microsoft", "FastGelu", "x", "y").outputs("y"));
    add(
        graphs,
        "SkipLayerNormalization",
        matrices()
            .weights("scale", 8)
            .node("com.microsoft", "SkipLayerNormalization", "x x scale", "y _ _ sum")
            .outputs("y sum"));
    add(
        graphs,
        "Attention",
        matrices()
            .weights("w", 8, 24)
            .weights("bias", 24)
            .node("com.microsoft", "Attention", "x w bias", "y", integer("num_heads", 2))
            .outputs("y"));
    add(
        graphs,
        "MultiHeadAttention",
        new TestGraph()
            .input("q", FLOAT, "b", "s", 8)
            .input("k", FLOAT, "b", "t", 8)
            .input("v", FLOAT, "b", "t", 8)
            .node("com.microsoft", "MultiHeadAttention", "q k v", "y", integer("num_heads", 2))
            .outputs("y"));
  }

  private static void addBodies(List<Arguments> graphs) {
    TestGraph one = new TestGraph().node("Relu", "x", "r").outputs("r");
    TestGraph other = new TestGraph().node("Add", "x row", "r").outputs("r");
    add(
        graphs,
        "If",
        matrices()
            .input("flag", BOOL)
            .node("If", "flag", "y", body("then_branch", one), body("else_branch", other))
            .outputs("y"));
    TestGraph step =
        new TestGraph()
            .input("state", FLOAT, 8)
            .input("part", FLOAT, 8)
            .node("Add", "state part", "next")
            .node("Identity", "next", "each")
            .output("next", FLOAT, 8)
            .output("each", FLOAT, 8);
    add(
        graphs,
        "Scan",
        new TestGraph()
            .input("start", FLOAT, 8)
            .input("x", FLOAT, "s", 8)
            .node("Scan", "start x", "last y", integer("num_scan_inputs", 1), body("body", step))
            .outputs("last y"));
    add(
        graphs,
        "a function",
        matrices()
            .function(
                "local",
                "Twice",
                "p",
                "q",
                new TestGraph().node("Concat", "p p", "q", integer("axis", 1)))
            .node("local", "Twice", "x", "y")
            .outputs("y"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("graphs")
  void readSymbolic_operator_agreesWithOnnxRuntime(String name, TestGraph graph)
      throws IOException {
    List<DimensionRange> ranges =
        FixedDimensions.openIn(GraphAssembly.assemble("test.onnx", graph.build())).stream()
            .map(dimension -> new DimensionRange(dimension, 8, 40))
            .toList();
    OnnxOptions options = OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    SymbolicShapes shapes =
        new SymbolicShapes(graph.build().toByteArray(), options, new DimensionRanges(ranges));
    assertThat(shapes.problem().notes()).as(name).noneMatch(note -> note.contains("unknown size"));
    Random random = new Random(1);
    List<DimensionValues> compared = new ArrayList<>(shapes.corners(4));
    for (int i = 0; i < 4; i++) {
      compared.add(shapes.any(random));
    }
    for (DimensionValues shape : compared) {
      assertThat(shapes.agreesAt(shape)).as("%s is valid at %s", name, shape).isTrue();
    }
  }
}
