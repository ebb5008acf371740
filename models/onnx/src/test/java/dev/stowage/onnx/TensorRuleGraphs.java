package dev.stowage.onnx;

import static dev.stowage.onnx.RuleGraphs.INT8;
import static dev.stowage.onnx.RuleGraphs.NO_KEEP;
import static dev.stowage.onnx.RuleGraphs.UINT8;
import static dev.stowage.onnx.RuleGraphs.add;
import static dev.stowage.onnx.RuleGraphs.image;
import static dev.stowage.onnx.RuleGraphs.list;
import static dev.stowage.onnx.RuleGraphs.matrices;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.FLOAT16;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.integers;
import static dev.stowage.onnx.TestGraph.text;

import ai.onnx.proto.OnnxMl.AttributeProto;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** Graphs of operators whose results have the shapes of images, matrices and their layouts. */
final class TensorRuleGraphs {

  private TensorRuleGraphs() {}

  /** {@return the graphs with their names} */
  static List<Arguments> all() {
    List<Arguments> graphs = new ArrayList<>();
    addElementwise(graphs);
    addWindows(graphs);
    addMatrices(graphs);
    addLayouts(graphs);
    return graphs;
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
}
