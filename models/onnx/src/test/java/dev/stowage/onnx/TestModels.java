package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.BOOL;
import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.INT64;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.external;
import static dev.stowage.onnx.TestGraph.integer;
import static dev.stowage.onnx.TestGraph.sequence;
import static dev.stowage.onnx.TestGraph.sparseValue;
import static dev.stowage.onnx.TestGraph.tensor;
import static dev.stowage.onnx.TestGraph.tensorOf;
import static dev.stowage.onnx.TestGraph.value;

/** Complete models for several tests. */
final class TestModels {

  private TestModels() {}

  /** {@return a model with all features that the reader reads} */
  static byte[] everything() {
    TestGraph deep = new TestGraph().node("Add", "b i", "d").outputs("d");
    TestGraph then =
        new TestGraph()
            .weights("inner", 2)
            .externalWeights("far", 4)
            .sparseWeights("thin", 4)
            .node("Relu", "a", "i")
            .node("If", "flag", "t", body("then_branch", deep), body("else_branch", deep))
            .outputs("t");
    TestGraph otherwise = new TestGraph().node("Identity", "b", "e").outputs("e");
    return new TestGraph()
        .function("local", "Twice", "p", "q", new TestGraph().node("Add", "p p", "q"))
        .input("x", FLOAT, "batch", 4, null)
        .input("flag", BOOL)
        .input("old", FLOAT, 4)
        .weights("old", 4)
        .externalWeights("other_file", 4)
        .sparseWeights("sparse", 4)
        .integers("shape", 2, -1)
        .node("Constant", "", "c", value(tensorOf(4, 4)))
        .node("Constant", "", "elsewhere", value(external(4)))
        .node("Constant", "", "scattered", sparseValue(4))
        .node("ConstantOfShape", "c", "filled")
        .node("Relu", "x", "a")
        .node("Reshape", "a shape", "b")
        .node("If", "flag", "f", body("then_branch", then), body("else_branch", otherwise))
        .node("local", "Twice", "f", "g")
        .node("SequenceConstruct", "g g", "list")
        .node("ConcatFromSequence", "list", "all", integer("axis", 0))
        .node("Dropout", "all _ _", "h _")
        .node("Add", "h nowhere", "y")
        .type("a", FLOAT, "batch", 4, 3)
        .type("b f g", FLOAT, 2, 12)
        .type("all", INT64, 4, 12)
        .type("list", sequence(tensor(FLOAT, 2, 12)))
        .output("y", FLOAT, 4, null)
        .output("x", FLOAT, "batch")
        .build()
        .toByteArray();
  }
}
