package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.integer;

import ai.onnx.proto.OnnxMl.AttributeProto;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** The graphs and constants that tests of symbolic rules share. */
final class RuleGraphs {

  static final int UINT8 = 2;
  static final int INT8 = 3;
  static final AttributeProto NO_KEEP = integer("keepdims", 0);

  private RuleGraphs() {}

  /** {@return a graph with an image, whose result is {@code y}} */
  static TestGraph image(String operator, String inputs, AttributeProto... attributes) {
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
  static TestGraph matrices(String operator, String inputs, AttributeProto... attributes) {
    return matrices().node(operator, inputs, "y", attributes).outputs("y");
  }

  static TestGraph matrices() {
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

  static List<Long> list(long... numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  static void add(List<Arguments> graphs, String name, TestGraph graph) {
    graphs.add(Arguments.of(name, graph));
  }
}
