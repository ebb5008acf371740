package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.integers;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.List;
import java.util.Random;

/**
 * A small convolutional network with residual connections that can be planned and run: it has
 * random weights, an open batch dimension, and no shapes except those of its input and output.
 *
 * <pre>
 *   image [batch, 3, 32, 32] - conv 8 - residual 8 - pool - conv 16 - residual 16 - average - 10
 * </pre>
 */
final class TinyCnn {

  private static final int CLASS_COUNT = 10;

  private final TestGraph graph = new TestGraph();
  private final Random random = new Random(6);

  private TinyCnn() {}

  /** {@return the model; equal calls give equal bytes} */
  static ModelProto model() {
    return new TinyCnn().build();
  }

  private ModelProto build() {
    graph.input("image", FLOAT, "batch", 3, 32, 32);
    graph.output("probabilities", FLOAT, "batch", CLASS_COUNT);
    convolution("image", "stem", 3, 8);
    graph.node("Relu", "stem", "stem/relu");
    residual("stem/relu", "block1", 8);
    List<Long> two = List.of(2L, 2L);
    graph.node(
        "MaxPool", "block1/relu2", "pool", integers("kernel_shape", two), integers("strides", two));
    convolution("pool", "widen", 8, 16);
    graph.node("Relu", "widen", "widen/relu");
    residual("widen/relu", "block2", 16);
    graph.node("GlobalAveragePool", "block2/relu2", "average");
    graph.node("Flatten", "average", "features");
    weights("classes/weight", 16, CLASS_COUNT);
    weights("classes/bias", CLASS_COUNT);
    graph.node("Gemm", "features classes/weight classes/bias", "classes");
    graph.node("Softmax", "classes", "probabilities");
    return graph.build();
  }

  private void residual(String input, String name, int channels) {
    convolution(input, name + "/conv1", channels, channels);
    graph.node("Relu", name + "/conv1", name + "/relu1");
    convolution(name + "/relu1", name + "/conv2", channels, channels);
    graph.node("Add", input + " " + name + "/conv2", name + "/add");
    graph.node("Relu", name + "/add", name + "/relu2");
  }

  /** Adds a 3 x 3 convolution whose output has the size of the input. */
  private void convolution(String input, String output, int inputChannels, int outputChannels) {
    weights(output + "/weight", outputChannels, inputChannels, 3, 3);
    weights(output + "/bias", outputChannels);
    AttributeProto[] attributes = {
      integers("kernel_shape", List.of(3L, 3L)), integers("pads", List.of(1L, 1L, 1L, 1L))
    };
    graph.node("Conv", "%s %s/weight %s/bias".formatted(input, output, output), output, attributes);
  }

  private void weights(String name, int... dimensions) {
    int count = 1;
    for (int dimension : dimensions) {
      count *= dimension;
    }
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (random.nextFloat() - 0.5f) / 4;
    }
    graph.weights(name, values, dimensions);
  }
}
