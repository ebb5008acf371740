package dev.stowage.onnx;

import static dev.stowage.onnx.RuleGraphs.add;
import static dev.stowage.onnx.RuleGraphs.list;
import static dev.stowage.onnx.RuleGraphs.matrices;
import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT32;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.integers;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.text;
import static dev.stowage.onnx.TestGraph.value;

import ai.onnx.proto.OnnxMl.TensorProto;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** Graphs of operators whose shapes depend on contents, of layers and of bodies. */
final class ContentRuleGraphs {

  private ContentRuleGraphs() {}

  /** {@return the graphs with their names} */
  static List<Arguments> all() {
    List<Arguments> graphs = new ArrayList<>();
    addSelections(graphs);
    addShapes(graphs);
    addLayers(graphs);
    addBodies(graphs);
    return graphs;
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
}
