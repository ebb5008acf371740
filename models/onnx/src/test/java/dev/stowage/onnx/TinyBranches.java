package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;

import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.Locale;
import java.util.Random;

/**
 * A small network of four branches. The file has their operators side by side, so that the tensors
 * of all branches are live at the same time. One branch after the other needs less memory.
 *
 * <pre>
 *   image [1, 3, 64, 64] - conv 8 - relu - average \
 *                        - conv 8 - relu - average -\
 *                        - conv 8 - relu - average --concat - 10
 *                        - conv 8 - relu - average /
 * </pre>
 */
final class TinyBranches {

  private static final int BRANCHES = 4;
  private static final int CHANNELS = 8;
  private static final int CLASSES = 10;

  private final TestGraph graph = new TestGraph();
  private final Random random = new Random(7);

  private TinyBranches() {}

  /** {@return the model; equal calls give equal bytes} */
  static ModelProto model() {
    return new TinyBranches().build();
  }

  private ModelProto build() {
    graph.input("image", FLOAT, 1, 3, 64, 64);
    graph.output("probabilities", FLOAT, 1, CLASSES);
    StringBuilder averages = new StringBuilder();
    for (int i = 1; i <= BRANCHES; i++) {
      weights("branch" + i + "/weight", CHANNELS, 3, 1, 1);
      graph.node(
          "Conv",
          String.format(Locale.ROOT, "image branch%d/weight", i),
          String.format(Locale.ROOT, "branch%d/conv", i));
      averages.append(String.format(Locale.ROOT, " branch%d/average", i));
    }
    each("Relu", "conv", "relu");
    each("GlobalAveragePool", "relu", "average");
    graph.node("Concat", averages.toString().strip(), "averages", TestGraph.integer("axis", 1));
    graph.node("Flatten", "averages", "features");
    weights("classes/weight", BRANCHES * CHANNELS, CLASSES);
    graph.node("MatMul", "features classes/weight", "classes");
    graph.node("Softmax", "classes", "probabilities");
    return graph.build();
  }

  /** Adds an operator to each branch. */
  private void each(String operator, String input, String output) {
    for (int i = 1; i <= BRANCHES; i++) {
      graph.node(
          operator,
          String.format(Locale.ROOT, "branch%d/%s", i, input),
          String.format(Locale.ROOT, "branch%d/%s", i, output));
    }
  }

  private void weights(String name, int... dimensions) {
    int count = 1;
    for (int dimension : dimensions) {
      count *= dimension;
    }
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    graph.weights(name, values, dimensions);
  }
}
