package dev.stowage.tflite;

import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.testing.tflite.Window;

/** Inception v3 (Szegedy et al., arXiv 1512.00567), layers named as in TF-Slim. */
final class InceptionV3 {

  private final TfliteGraphBuilder graph = TfliteGraphBuilder.named("inception_v3");

  private InceptionV3() {}

  static TfliteGraphBuilder classifier() {
    return new InceptionV3().build();
  }

  private TfliteGraphBuilder build() {
    GraphTensor x = stem(graph.input("input", 1, 299, 299, 3));
    x = mixed35("Mixed_5b", x, 32);
    x = mixed35("Mixed_5c", x, 64);
    x = mixed35("Mixed_5d", x, 64);
    x = reduction17("Mixed_6a", x);
    x = mixed17("Mixed_6b", x, 128);
    x = mixed17("Mixed_6c", x, 160);
    x = mixed17("Mixed_6d", x, 160);
    x = mixed17("Mixed_6e", x, 192);
    x = reduction8("Mixed_7a", x);
    x = mixed8("Mixed_7b", x);
    x = mixed8("Mixed_7c", x);
    x = graph.averagePool2d("AvgPool_1a", x, Window.of(8).valid());
    x = graph.conv2d("Conv2d_1c_1x1", x, 1001, Window.of(1), Activation.NONE);
    x = graph.reshape("SpatialSqueeze", x, 1, 1001);
    graph.output(graph.softmax("Softmax", x));
    return graph;
  }

  private GraphTensor stem(GraphTensor image) {
    GraphTensor x = conv("Conv2d_1a_3x3", image, 32, Window.of(3).withStride(2).valid());
    x = conv("Conv2d_2a_3x3", x, 32, Window.of(3).valid());
    x = conv("Conv2d_2b_3x3", x, 64, Window.of(3));
    x = maxPool("MaxPool_3a_3x3", x);
    x = conv("Conv2d_3b_1x1", x, 80, Window.of(1));
    x = conv("Conv2d_4a_3x3", x, 192, Window.of(3).valid());
    return maxPool("MaxPool_5a_3x3", x);
  }

  private GraphTensor mixed35(String layer, GraphTensor input, int pooledChannels) {
    GraphTensor branch0 = conv(layer + "/0/Conv2d_0a_1x1", input, 64, Window.of(1));
    GraphTensor branch1 = conv(layer + "/1/Conv2d_0a_1x1", input, 48, Window.of(1));
    branch1 = conv(layer + "/1/Conv2d_0b_5x5", branch1, 64, Window.of(5));
    GraphTensor branch2 = conv(layer + "/2/Conv2d_0a_1x1", input, 64, Window.of(1));
    branch2 = conv(layer + "/2/Conv2d_0b_3x3", branch2, 96, Window.of(3));
    branch2 = conv(layer + "/2/Conv2d_0c_3x3", branch2, 96, Window.of(3));
    GraphTensor branch3 = pooled(layer, input, pooledChannels);
    return graph.concatenate(layer + "/concat", branch0, branch1, branch2, branch3);
  }

  private GraphTensor reduction17(String layer, GraphTensor input) {
    Window halving = Window.of(3).withStride(2).valid();
    GraphTensor branch0 = conv(layer + "/0/Conv2d_1a_3x3", input, 384, halving);
    GraphTensor branch1 = conv(layer + "/1/Conv2d_0a_1x1", input, 64, Window.of(1));
    branch1 = conv(layer + "/1/Conv2d_0b_3x3", branch1, 96, Window.of(3));
    branch1 = conv(layer + "/1/Conv2d_1a_3x3", branch1, 96, halving);
    GraphTensor branch2 = maxPool(layer + "/2/MaxPool_1a_3x3", input);
    return graph.concatenate(layer + "/concat", branch0, branch1, branch2);
  }

  private GraphTensor mixed17(String layer, GraphTensor input, int channels) {
    Window row = Window.of(1, 7);
    Window column = Window.of(7, 1);
    GraphTensor branch0 = conv(layer + "/0/Conv2d_0a_1x1", input, 192, Window.of(1));
    GraphTensor branch1 = conv(layer + "/1/Conv2d_0a_1x1", input, channels, Window.of(1));
    branch1 = conv(layer + "/1/Conv2d_0b_1x7", branch1, channels, row);
    branch1 = conv(layer + "/1/Conv2d_0c_7x1", branch1, 192, column);
    GraphTensor branch2 = conv(layer + "/2/Conv2d_0a_1x1", input, channels, Window.of(1));
    branch2 = conv(layer + "/2/Conv2d_0b_7x1", branch2, channels, column);
    branch2 = conv(layer + "/2/Conv2d_0c_1x7", branch2, channels, row);
    branch2 = conv(layer + "/2/Conv2d_0d_7x1", branch2, channels, column);
    branch2 = conv(layer + "/2/Conv2d_0e_1x7", branch2, 192, row);
    GraphTensor branch3 = pooled(layer, input, 192);
    return graph.concatenate(layer + "/concat", branch0, branch1, branch2, branch3);
  }

  private GraphTensor reduction8(String layer, GraphTensor input) {
    Window halving = Window.of(3).withStride(2).valid();
    GraphTensor branch0 = conv(layer + "/0/Conv2d_0a_1x1", input, 192, Window.of(1));
    branch0 = conv(layer + "/0/Conv2d_1a_3x3", branch0, 320, halving);
    GraphTensor branch1 = conv(layer + "/1/Conv2d_0a_1x1", input, 192, Window.of(1));
    branch1 = conv(layer + "/1/Conv2d_0b_1x7", branch1, 192, Window.of(1, 7));
    branch1 = conv(layer + "/1/Conv2d_0c_7x1", branch1, 192, Window.of(7, 1));
    branch1 = conv(layer + "/1/Conv2d_1a_3x3", branch1, 192, halving);
    GraphTensor branch2 = maxPool(layer + "/2/MaxPool_1a_3x3", input);
    return graph.concatenate(layer + "/concat", branch0, branch1, branch2);
  }

  private GraphTensor mixed8(String layer, GraphTensor input) {
    GraphTensor branch0 = conv(layer + "/0/Conv2d_0a_1x1", input, 320, Window.of(1));
    GraphTensor branch1 = conv(layer + "/1/Conv2d_0a_1x1", input, 384, Window.of(1));
    branch1 = forked(layer + "/1", branch1, "/Conv2d_0b_1x3", "/Conv2d_0b_3x1");
    GraphTensor branch2 = conv(layer + "/2/Conv2d_0a_1x1", input, 448, Window.of(1));
    branch2 = conv(layer + "/2/Conv2d_0b_3x3", branch2, 384, Window.of(3));
    branch2 = forked(layer + "/2", branch2, "/Conv2d_0c_1x3", "/Conv2d_0d_3x1");
    GraphTensor branch3 = pooled(layer, input, 192);
    return graph.concatenate(layer + "/concat", branch0, branch1, branch2, branch3);
  }

  private GraphTensor forked(String branch, GraphTensor input, String rowName, String columnName) {
    GraphTensor row = conv(branch + rowName, input, 384, Window.of(1, 3));
    GraphTensor column = conv(branch + columnName, input, 384, Window.of(3, 1));
    return graph.concatenate(branch + "/concat", row, column);
  }

  private GraphTensor pooled(String layer, GraphTensor input, int channels) {
    GraphTensor pool = graph.averagePool2d(layer + "/3/AvgPool_0a_3x3", input, Window.of(3));
    return conv(layer + "/3/Conv2d_0b_1x1", pool, channels, Window.of(1));
  }

  private GraphTensor maxPool(String name, GraphTensor input) {
    return graph.maxPool2d(name, input, Window.of(3).withStride(2).valid());
  }

  private GraphTensor conv(String name, GraphTensor input, int channels, Window window) {
    return graph.conv2d(name, input, channels, window, Activation.RELU);
  }
}
