package dev.stowage.tflite;

import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.testing.tflite.Window;

/**
 * MobileNet v2 (Sandler et al., arXiv 1801.04381) of width 1, and DeepLab v3 on one of width 1/2.
 */
final class MobileNetV2 {

  /** Expansion, output channels, stride of each bottleneck at width 1. */
  private static final int[][] BOTTLENECKS = {
    {1, 16, 1},
    {6, 24, 2},
    {6, 24, 1},
    {6, 32, 2},
    {6, 32, 1},
    {6, 32, 1},
    {6, 64, 2},
    {6, 64, 1},
    {6, 64, 1},
    {6, 64, 1},
    {6, 96, 1},
    {6, 96, 1},
    {6, 96, 1},
    {6, 160, 2},
    {6, 160, 1},
    {6, 160, 1},
    {6, 320, 1}
  };

  private final TfliteGraphBuilder graph;
  private final int widthDivisor;
  private final OutputStride strides;

  private MobileNetV2(TfliteGraphBuilder graph, int widthDivisor, int largestStride) {
    this.graph = graph;
    this.widthDivisor = widthDivisor;
    strides = new OutputStride(largestStride);
  }

  static TfliteGraphBuilder classifier() {
    var graph = TfliteGraphBuilder.named("mobilenet_v2");
    GraphTensor image = graph.input("input", 1, 224, 224, 3);
    GraphTensor x = new MobileNetV2(graph, 1, 32).features(image);
    x = graph.conv2d("Conv_1", x, 1280, Window.of(1), Activation.RELU6);
    x = graph.averagePool2d("AvgPool", x, Window.of(7).valid());
    x = graph.conv2d("Conv2d_1c_1x1", x, 1001, Window.of(1), Activation.NONE);
    x = graph.reshape("Squeeze", x, 1, 1001);
    graph.output(graph.softmax("Softmax", x));
    return graph;
  }

  /** {@return DeepLab v3 (Chen et al., arXiv 1706.05587) as published for mobile GPUs} */
  static TfliteGraphBuilder deepLabV3() {
    var graph = TfliteGraphBuilder.named("deeplab_v3");
    GraphTensor image = graph.input("input", 1, 257, 257, 3);
    GraphTensor x = new MobileNetV2(graph, 2, 8).features(image);
    Window wholeImage = Window.of(33).withStride(33).valid();
    GraphTensor pooled = graph.averagePool2d("AvgPool2D", x, wholeImage);
    pooled = graph.conv2d("image_pooling", pooled, 256, Window.of(1), Activation.RELU);
    pooled = graph.resizeBilinear("ResizeBilinear_1", pooled, 33, 33);
    GraphTensor aspp = graph.conv2d("aspp0", x, 256, Window.of(1), Activation.RELU);
    x = graph.concatenate("concat", pooled, aspp);
    x = graph.conv2d("concat_projection", x, 256, Window.of(1), Activation.RELU);
    x = graph.conv2d("logits", x, 21, Window.of(1), Activation.NONE);
    x = graph.resizeBilinear("ResizeBilinear_2", x, 33, 33);
    graph.output(graph.resizeBilinear("ResizeBilinear_3", x, 257, 257));
    return graph;
  }

  private GraphTensor features(GraphTensor image) {
    Window window = strides.next(2);
    GraphTensor x = graph.conv2d("Conv", image, 32 / widthDivisor, window, Activation.RELU6);
    for (int i = 0; i < BOTTLENECKS.length; i++) {
      String layer = i == 0 ? "expanded_conv" : "expanded_conv_" + i;
      int[] bottleneck = BOTTLENECKS[i];
      x = bottleneck(layer, x, bottleneck[0], bottleneck[1] / widthDivisor, bottleneck[2]);
    }
    return x;
  }

  private GraphTensor bottleneck(
      String layer, GraphTensor input, int expansion, int channels, int stride) {
    int inputChannels = input.shape().getLast();
    GraphTensor x = input;
    if (expansion > 1) {
      int expanded = inputChannels * expansion;
      x = graph.conv2d(layer + "/expand", x, expanded, Window.of(1), Activation.RELU6);
    }
    x = graph.depthwiseConv2d(layer + "/depthwise", x, strides.next(stride), Activation.RELU6);
    x = graph.conv2d(layer + "/project", x, channels, Window.of(1), Activation.NONE);
    boolean residual = stride == 1 && channels == inputChannels;
    return residual ? graph.add(layer + "/add", x, input, Activation.NONE) : x;
  }
}
