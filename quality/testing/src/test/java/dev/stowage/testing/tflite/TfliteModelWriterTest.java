package dev.stowage.testing.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.schema.ActivationFunctionType;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.Conv2DOptions;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.OperatorCode;
import org.tensorflow.lite.schema.Pool2DOptions;
import org.tensorflow.lite.schema.ReshapeOptions;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.Tensor;
import org.tensorflow.lite.schema.TensorType;

/** Written graphs, read with the classes of the schema. */
class TfliteModelWriterTest {

  private final TfliteGraphBuilder graph = TfliteGraphBuilder.named("tiny");

  @Test
  void write_anyGraph_hasIdentifierVersionAndNoData() {
    graph.output(graph.softmax("softmax", graph.input("logits", 1, 10)));

    Model model = written();

    assertThat(Model.ModelBufferHasIdentifier(model.getByteBuffer())).isTrue();
    assertThat(model.version()).isEqualTo(3);
    assertThat(model.description()).isEqualTo("tiny");
    assertThat(model.buffersLength()).isEqualTo(1);
    assertThat(model.buffers(0).dataLength()).isZero();
    assertThat(model.subgraphsLength()).isEqualTo(1);
    assertThat(model.subgraphs(0).name()).isEqualTo("tiny");
  }

  @Test
  void write_inputsAndOutputs_areInTheOrderOfTheCalls() {
    GraphTensor a = graph.inputOf("a", TensorType.INT8, 1, 2);
    GraphTensor b = graph.inputOf("b", TensorType.INT8, 1, 3);
    GraphTensor concat = graph.concatenate("concat", b, a);
    graph.output(concat, a);

    SubGraph subgraph = written().subgraphs(0);

    assertThat(ints(subgraph.inputsLength(), subgraph::inputs)).containsExactly(0, 1);
    assertThat(ints(subgraph.outputsLength(), subgraph::outputs)).containsExactly(2, 0);
    Operator operator = subgraph.operators(0);
    assertThat(ints(operator.inputsLength(), operator::inputs)).containsExactly(1, 0);
    assertThat(ints(operator.outputsLength(), operator::outputs)).containsExactly(2);
  }

  @Test
  void write_tensor_hasNameTypeShapeAndTheEmptyBuffer() {
    graph.output(graph.inputOf("image", TensorType.UINT8, 1, 4, 5, 3));

    Tensor tensor = written().subgraphs(0).tensors(0);

    assertThat(tensor.name()).isEqualTo("image");
    assertThat(tensor.type()).isEqualTo(TensorType.UINT8);
    assertThat(ints(tensor.shapeLength(), tensor::shape)).containsExactly(1, 4, 5, 3);
    assertThat(tensor.buffer()).isZero();
    assertThat(tensor.isVariable()).isFalse();
  }

  @Test
  void write_operatorCodes_areThoseUsedInTheOrderOfFirstUse() {
    GraphTensor x = graph.input("image", 1, 4, 4, 3);
    x = graph.maxPool2d("pool", x, Window.of(2));
    x = graph.conv2d("conv", x, 3, Window.of(1), Activation.NONE);
    graph.output(graph.maxPool2d("pool_2", x, Window.of(2)));

    Model model = written();

    assertThat(model.operatorCodesLength()).isEqualTo(2);
    assertCode(model.operatorCodes(0), BuiltinOperator.MAX_POOL_2D);
    assertCode(model.operatorCodes(1), BuiltinOperator.CONV_2D);
    SubGraph subgraph = model.subgraphs(0);
    assertThat(ints(3, task -> (int) subgraph.operators(task).opcodeIndex()))
        .containsExactly(0, 1, 0);
  }

  @Test
  void write_transposeConv_marksTheConstantsInFrontAsAbsent() {
    GraphTensor image = graph.input("image", 1, 4, 4, 3);
    graph.output(graph.transposeConv("up", image, 2, Window.of(2), Activation.NONE));

    Operator operator = written().subgraphs(0).operators(0);

    assertThat(ints(operator.inputsLength(), operator::inputs)).containsExactly(-1, -1, 0);
  }

  @Test
  void write_conv2d_hasItsOptions() {
    GraphTensor image = graph.input("image", 1, 9, 9, 3);
    Window window = Window.of(3).withStride(2).valid();
    graph.output(graph.conv2d("conv", image, 2, window, Activation.RELU6));

    Operator operator = written().subgraphs(0).operators(0);

    assertThat(operator.builtinOptionsType()).isEqualTo(BuiltinOptions.Conv2DOptions);
    Conv2DOptions options = new Conv2DOptions();
    Objects.requireNonNull(operator.builtinOptions(options));
    assertThat(options.padding()).isEqualTo(org.tensorflow.lite.schema.Padding.VALID);
    assertThat(List.of(options.strideH(), options.strideW())).containsExactly(2, 2);
    assertThat(List.of(options.dilationHFactor(), options.dilationWFactor())).containsExactly(1, 1);
    assertThat(options.fusedActivationFunction()).isEqualTo(ActivationFunctionType.RELU6);
  }

  @Test
  void write_pool2d_hasHeightAndWidthOfItsWindow() {
    GraphTensor image = graph.input("image", 1, 9, 9, 3);
    graph.output(graph.averagePool2d("pool", image, Window.of(2, 5)));

    Operator operator = written().subgraphs(0).operators(0);

    Pool2DOptions options = new Pool2DOptions();
    Objects.requireNonNull(operator.builtinOptions(options));
    assertThat(options.filterHeight()).isEqualTo(2);
    assertThat(options.filterWidth()).isEqualTo(5);
  }

  @Test
  void write_reshape_hasTheNewShape() {
    GraphTensor image = graph.input("image", 1, 1, 1, 3);
    graph.output(graph.reshape("squeeze", image, 1, 3));

    Operator operator = written().subgraphs(0).operators(0);

    ReshapeOptions options = new ReshapeOptions();
    Objects.requireNonNull(operator.builtinOptions(options));
    assertThat(ints(options.newShapeLength(), options::newShape)).containsExactly(1, 3);
  }

  private Model written() {
    return Model.getRootAsModel(ByteBuffer.wrap(graph.toBytes()));
  }

  private static void assertCode(OperatorCode code, int expected) {
    assertThat(code.builtinCode()).isEqualTo(expected);
    assertThat(code.deprecatedBuiltinCode()).isEqualTo((byte) expected);
  }

  private static List<Integer> ints(int count, IntUnaryOperator value) {
    return IntStream.range(0, count).map(value).boxed().toList();
  }
}
