package dev.stowage.testing.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.lite.schema.TensorType;

class TfliteGraphBuilderTest {

  private final TfliteGraphBuilder graph = TfliteGraphBuilder.named("g");

  @Test
  void conv2d_strideOfTwo_halvesTheImage() {
    GraphTensor image = graph.input("image", 1, 224, 224, 3);

    GraphTensor made =
        graph.conv2d("conv", image, 32, Window.of(3).withStride(2), Activation.RELU6);

    assertThat(made).hasToString("'conv' [1, 112, 112, 32]");
    assertThat(made.type()).isEqualTo(TensorType.FLOAT32);
  }

  @Test
  void conv2d_dilatedWindowInsideTheImage_losesItsReach() {
    GraphTensor image = graph.input("image", 2, 9, 10, 3);
    Window window = Window.of(3).withDilation(2).valid();

    GraphTensor made = graph.conv2d("conv", image, 4, window, Activation.NONE);

    assertThat(made.shape()).containsExactly(2, 5, 6, 4);
  }

  @Test
  void depthwiseConv2d_anyImage_keepsTheChannels() {
    GraphTensor image = graph.input("image", 1, 65, 65, 72);

    GraphTensor made =
        graph.depthwiseConv2d("conv", image, Window.of(3).withStride(2), Activation.RELU6);

    assertThat(made.shape()).containsExactly(1, 33, 33, 72);
  }

  @Test
  void transposeConv_strideOfTwo_doublesTheImage() {
    GraphTensor image = graph.input("image", 1, 16, 8, 1024);

    GraphTensor made =
        graph.transposeConv("up", image, 512, Window.of(2).withStride(2), Activation.NONE);

    assertThat(made.shape()).containsExactly(1, 32, 16, 512);
  }

  @Test
  void pool2d_windowInsideTheImage_keepsTheChannels() {
    GraphTensor image = graph.input("image", 1, 35, 35, 8);

    GraphTensor average = graph.averagePool2d("average", image, Window.of(3));
    GraphTensor maximum = graph.maxPool2d("maximum", image, Window.of(3).withStride(2).valid());

    assertThat(average.shape()).containsExactly(1, 35, 35, 8);
    assertThat(maximum.shape()).containsExactly(1, 17, 17, 8);
  }

  @Test
  void concatenate_imagesOfOneExtent_addsTheirChannels() {
    GraphTensor left = graph.inputOf("left", TensorType.INT8, 1, 4, 4, 2);
    GraphTensor right = graph.inputOf("right", TensorType.INT8, 1, 4, 4, 3);

    GraphTensor made = graph.concatenate("concat", left, right, left);

    assertThat(made.shape()).containsExactly(1, 4, 4, 7);
    assertThat(made.type()).isEqualTo(TensorType.INT8);
  }

  @Test
  void classifierHead_imageToProbabilities_dropsHeightAndWidth() {
    GraphTensor image = graph.input("image", 3, 7, 5, 16);

    GraphTensor mean = graph.mean("mean", image);
    GraphTensor units = graph.fullyConnected("units", mean, 10, Activation.NONE);
    GraphTensor softmax = graph.softmax("softmax", units);

    assertThat(mean.shape()).containsExactly(3, 16);
    assertThat(units.shape()).containsExactly(3, 10);
    assertThat(softmax.shape()).containsExactly(3, 10);
  }

  @Test
  void reshapeAndResize_anyImage_giveTheShapeAskedFor() {
    GraphTensor image = graph.input("image", 1, 4, 4, 2);

    assertThat(graph.reshape("reshape", image, 8, 4).shape()).containsExactly(8, 4);
    assertThat(graph.resizeBilinear("resize", image, 7, 9).shape()).containsExactly(1, 7, 9, 2);
  }

  @Test
  void add_differentShapes_isRefused() {
    GraphTensor left = graph.input("left", 1, 2, 2, 3);
    GraphTensor right = graph.input("right", 1, 2, 2, 4);

    assertRefused(
        () -> graph.add("sum", left, right, Activation.NONE),
        "ADD 'sum' needs equal shapes: 'left' [1, 2, 2, 3], 'right' [1, 2, 2, 4]");
  }

  @Test
  void add_differentTypes_isRefused() {
    GraphTensor left = graph.inputOf("left", TensorType.FLOAT32, 2);
    GraphTensor right = graph.inputOf("right", TensorType.INT8, 2);

    assertRefused(
        () -> graph.add("sum", left, right, Activation.NONE),
        "ADD 'sum' needs equal types: 'left' is FLOAT32, 'right' is INT8");
  }

  @Test
  void concatenate_differentHeights_isRefused() {
    GraphTensor left = graph.input("left", 1, 2, 2, 3);
    GraphTensor right = graph.input("right", 1, 3, 2, 3);

    assertRefused(
        () -> graph.concatenate("concat", left, right),
        "CONCATENATION 'concat' needs equal dimensions before the last: "
            + "'left' [1, 2, 2, 3], 'right' [1, 3, 2, 3]");
  }

  @Test
  void concatenate_nothing_isRefused() {
    assertRefused(
        () -> graph.concatenate("concat"),
        "CONCATENATION 'concat' needs parts with at least one dimension");
  }

  @Test
  void conv2d_noImage_isRefused() {
    GraphTensor vector = graph.input("vector", 1, 10);

    assertRefused(
        () -> graph.conv2d("conv", vector, 4, Window.of(1), Activation.NONE),
        "CONV_2D 'conv' needs a tensor of 4 dimensions: 'vector' [1, 10]");
  }

  @Test
  void conv2d_noChannels_isRefused() {
    GraphTensor image = graph.input("image", 1, 4, 4, 2);

    assertRefused(
        () -> graph.conv2d("conv", image, 0, Window.of(1), Activation.NONE),
        "dimensions of tensor 'conv' must be 1 to 2147483647: [1, 4, 4, 0]");
  }

  @Test
  void averagePool2d_windowLargerThanTheImage_isRefused() {
    GraphTensor image = graph.input("image", 1, 32, 32, 8);

    assertRefused(
        () -> graph.averagePool2d("pool", image, Window.of(33).valid()),
        "the window of AVERAGE_POOL_2D 'pool' must fit into 'image' [1, 32, 32, 8]: "
            + "height=33, width=33, dilation=1");
  }

  @Test
  void maxPool2d_dilatedWindow_isRefused() {
    GraphTensor image = graph.input("image", 1, 32, 32, 8);

    assertRefused(
        () -> graph.maxPool2d("pool", image, Window.of(2).withDilation(2)),
        "the dilation of MAX_POOL_2D 'pool' must be 1: dilation=2");
  }

  @Test
  void reshape_otherNumberOfElements_isRefused() {
    GraphTensor logits = graph.input("logits", 1, 1, 1, 1001);

    assertRefused(
        () -> graph.reshape("squeeze", logits, 1, 1000),
        "RESHAPE 'squeeze' must keep the number of elements: "
            + "'logits' [1, 1, 1, 1001] has 1001, the new shape has 1000");
  }

  @Test
  void reshape_unknownDimension_isRefused() {
    GraphTensor logits = graph.input("logits", 1, 10);

    assertRefused(
        () -> graph.reshape("squeeze", logits, -1),
        "dimensions of tensor 'squeeze' must be 1 to 2147483647: [-1]");
  }

  @Test
  void input_tooManyElements_isRefused() {
    int largest = Integer.MAX_VALUE;

    assertRefused(
        () -> graph.input("cube", largest, largest, largest),
        "tensor 'cube' must have at most 2^63 - 1 elements: [2147483647, 2147483647, 2147483647]");
  }

  @Test
  void input_nameTaken_isRefused() {
    graph.input("image", 1);

    assertRefused(() -> graph.input("image", 1), "graph 'g' already has a tensor 'image'");
  }

  @Test
  void softmax_tensorOfAnotherGraph_isRefused() {
    graph.input("mine", 1, 10);
    GraphTensor foreign = TfliteGraphBuilder.named("other").input("theirs", 1, 10);

    assertRefused(
        () -> graph.softmax("softmax", foreign), "'theirs' [1, 10] is not a tensor of graph 'g'");
  }

  @Test
  void output_sameTensorTwice_isRefused() {
    GraphTensor image = graph.input("image", 1);
    graph.output(image);

    assertRefused(
        () -> graph.output(image), "tensor 'image' [1] is already an output of the graph");
  }

  @Test
  void refusedOperator_graph_staysAsItWas() {
    GraphTensor left = graph.input("left", 2);
    GraphTensor right = graph.input("right", 3);
    graph.output(left);
    byte[] before = graph.toBytes();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> graph.add("sum", left, right, Activation.NONE));

    assertThat(graph.toBytes()).isEqualTo(before);
  }

  @Test
  void toBytes_noOutput_isRefused() {
    graph.input("image", 1);

    assertThatIllegalStateException()
        .isThrownBy(graph::toBytes)
        .withMessage("graph 'g' has no output; call output(...) first");
  }

  @Test
  void writeTo_longerFile_isReplaced(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("g.tflite"), new byte[10_000]);
    graph.output(graph.softmax("softmax", graph.input("logits", 1, 10)));

    graph.writeTo(file);

    assertThat(file).hasBinaryContent(graph.toBytes());
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
  }
}
