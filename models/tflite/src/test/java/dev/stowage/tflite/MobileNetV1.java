package dev.stowage.tflite;

import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.testing.tflite.Window;

/** MobileNet v1 of width 1 (Howard et al., arXiv 1704.04861), and PoseNet on top of one. */
final class MobileNetV1 {

  private static final int[] CHANNELS = {
    64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024
  };
  private static final int[] STRIDES = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};

  private MobileNetV1() {}

  static TfliteGraphBuilder classifier() {
    var graph = TfliteGraphBuilder.named("mobilenet_v1");
    GraphTensor x = features(graph, graph.input("input", 1, 224, 224, 3), 32);
    x = graph.averagePool2d("AvgPool_1a", x, Window.of(7).valid());
    x = graph.conv2d("Conv2d_1c_1x1", x, 1001, Window.of(1), Activation.NONE);
    x = graph.reshape("SpatialSqueeze", x, 1, 1001);
    graph.output(graph.softmax("Softmax", x));
    return graph;
  }

  /** {@return PoseNet (Papandreou et al., arXiv 1803.08225) of output stride 16} */
  static TfliteGraphBuilder poseNet() {
    var graph = TfliteGraphBuilder.named("posenet");
    GraphTensor x = features(graph, graph.input("input", 1, 257, 257, 3), 16);
    graph.output(graph.conv2d("heatmap_2", x, 17, Window.of(1), Activation.NONE));
    graph.output(graph.conv2d("offset_2", x, 34, Window.of(1), Activation.NONE));
    graph.output(graph.conv2d("displacement_fwd_2", x, 32, Window.of(1), Activation.NONE));
    graph.output(graph.conv2d("displacement_bwd_2", x, 32, Window.of(1), Activation.NONE));
    return graph;
  }

  private static GraphTensor features(
      TfliteGraphBuilder graph, GraphTensor image, int largestStride) {
    OutputStride strides = new OutputStride(largestStride);
    GraphTensor x = graph.conv2d("Conv2d_0", image, 32, strides.next(2), Activation.RELU6);
    for (int i = 0; i < CHANNELS.length; i++) {
      String layer = "Conv2d_" + (i + 1);
      x =
          graph.depthwiseConv2d(
              layer + "_depthwise", x, strides.next(STRIDES[i]), Activation.RELU6);
      x = graph.conv2d(layer + "_pointwise", x, CHANNELS[i], Window.of(1), Activation.RELU6);
    }
    return x;
  }
}
