package dev.stowage.tflite;

import dev.stowage.testing.tflite.Activation;
import dev.stowage.testing.tflite.GraphTensor;
import dev.stowage.testing.tflite.TfliteGraphBuilder;
import dev.stowage.testing.tflite.Window;
import java.util.ArrayDeque;
import java.util.Deque;

/** U-Net (Ronneberger et al., arXiv 1505.04597) at 256 by 256, padded so that it keeps the size. */
final class UNet {

  private static final int[] CHANNELS = {64, 128, 256, 512};
  private static final int DEEPEST_CHANNELS = 1024;

  private final TfliteGraphBuilder graph = TfliteGraphBuilder.named("unet");

  private UNet() {}

  static TfliteGraphBuilder segmenter() {
    return new UNet().build();
  }

  private TfliteGraphBuilder build() {
    Deque<GraphTensor> skipped = new ArrayDeque<>();
    GraphTensor x = graph.input("input", 1, 256, 256, 1);
    for (int level = 0; level < CHANNELS.length; level++) {
      x = twoConvolutions("down_" + level, x, CHANNELS[level]);
      skipped.push(x);
      x = graph.maxPool2d("down_" + level + "/pool", x, Window.of(2).withStride(2).valid());
    }
    x = twoConvolutions("bottom", x, DEEPEST_CHANNELS);
    for (int level = CHANNELS.length - 1; level >= 0; level--) {
      String layer = "up_" + level;
      Window window = Window.of(2).withStride(2);
      x = graph.transposeConv(layer + "/up", x, CHANNELS[level], window, Activation.NONE);
      x = graph.concatenate(layer + "/concat", skipped.pop(), x);
      x = twoConvolutions(layer, x, CHANNELS[level]);
    }
    x = graph.conv2d("logits", x, 2, Window.of(1), Activation.NONE);
    graph.output(graph.softmax("Softmax", x));
    return graph;
  }

  private GraphTensor twoConvolutions(String layer, GraphTensor input, int channels) {
    GraphTensor x = graph.conv2d(layer + "/conv_1", input, channels, Window.of(3), Activation.RELU);
    return graph.conv2d(layer + "/conv_2", x, channels, Window.of(3), Activation.RELU);
  }
}
