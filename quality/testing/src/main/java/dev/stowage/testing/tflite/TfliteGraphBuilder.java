package dev.stowage.testing.tflite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.TensorType;

/**
 * A builder of graphs for {@code .tflite} files with shapes and without weights.
 *
 * <pre>{@code
 * var graph = TfliteGraphBuilder.named("tiny");
 * GraphTensor x = graph.input("image", 1, 224, 224, 3);
 * x = graph.conv2d("conv", x, 32, Window.of(3).withStride(2), Activation.RELU6);
 * x = graph.mean("pool", x);
 * graph.output(graph.softmax("probabilities", x));
 * graph.writeTo(Path.of("tiny.tflite"));
 * }</pre>
 *
 * <p>Operators run in the order in which they are added. Shapes follow TensorFlow's rules. The
 * dimensions of an image are batch, height, width, channels. The result of an operator has the type
 * of its input. Such a file can be planned and inspected, but not run.
 */
public final class TfliteGraphBuilder {

  /*
   * The inputs for weights, and for small constants such as shapes and axes, are omitted: before another
   * input, the file has the schema's -1 in their place. So all tensors of the file are results, and the
   * file is small. The content of the constants is in the options of the operator or in the shape of its
   * output.
   */

  private final String name;
  private final List<GraphTensor> tensors = new ArrayList<>();
  private final Set<String> tensorNames = new HashSet<>();
  private final List<GraphOperator> operators = new ArrayList<>();
  private final List<GraphTensor> inputs = new ArrayList<>();
  private final List<GraphTensor> outputs = new ArrayList<>();

  private TfliteGraphBuilder(String name) {
    this.name = name;
  }

  /**
   * {@return a graph without tensors}
   *
   * @param name the name of the subgraph, and the description of the model
   */
  public static TfliteGraphBuilder named(String name) {
    return new TfliteGraphBuilder(name);
  }

  /**
   * {@return a new graph input of 32-bit floats}
   *
   * @param tensorName the name, which must be unique
   * @param shape the dimensions
   * @throws IllegalArgumentException if the name is taken, or a dimension is below 1
   */
  public GraphTensor input(String tensorName, int... shape) {
    return inputOf(tensorName, TensorType.FLOAT32, shape);
  }

  /**
   * {@return a new graph input}
   *
   * @param tensorName the name, which must be unique
   * @param type the type of the elements, as in {@link TensorType}
   * @param shape the dimensions
   * @throws IllegalArgumentException if the name is taken, or a dimension is below 1
   */
  public GraphTensor inputOf(String tensorName, byte type, int... shape) {
    GraphTensor input = addTensor(tensorName, type, ResultShape.dimensions(shape));
    inputs.add(input);
    return input;
  }

  /**
   * Adds tensors to the outputs of the graph.
   *
   * @param results tensors of this graph
   * @throws IllegalArgumentException if one is not of this graph, or already an output
   */
  public void output(GraphTensor... results) {
    for (GraphTensor result : results) {
      checkOwn(result);
      if (outputs.contains(result)) {
        throw new IllegalArgumentException(
            "tensor " + result + " is already an output of the graph");
      }
      outputs.add(result);
    }
  }

  /**
   * {@return the output of a new {@code CONV_2D}}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @param channels the channels of the output
   * @param window the window
   * @param activation the activation
   * @throws IllegalArgumentException if {@code image} does not have four dimensions or is not of
   *     this graph, the name is taken, {@code channels < 1}, or the window does not fit
   */
  public GraphTensor conv2d(
      String tensorName, GraphTensor image, int channels, Window window, Activation activation) {
    int code = BuiltinOperator.CONV_2D;
    long[] shape = ResultShape.of(code, tensorName).convolution(image, channels, window);
    OperatorOptions options = OperatorOptions.conv2d(window, activation);
    return addOperator(code, options, tensorName, shape, image);
  }

  /**
   * {@return the output of a new {@code DEPTHWISE_CONV_2D}, with as many channels as its input}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @param window the window
   * @param activation the activation
   * @throws IllegalArgumentException if {@code image} does not have four dimensions or is not of
   *     this graph, the name is taken, or the window does not fit
   */
  public GraphTensor depthwiseConv2d(
      String tensorName, GraphTensor image, Window window, Activation activation) {
    int code = BuiltinOperator.DEPTHWISE_CONV_2D;
    long[] shape = ResultShape.of(code, tensorName).channelwise(image, window);
    OperatorOptions options = OperatorOptions.depthwiseConv2d(window, activation);
    return addOperator(code, options, tensorName, shape, image);
  }

  /**
   * {@return the output of a new {@code TRANSPOSE_CONV}, which enlarges by its stride}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @param channels the channels of the output
   * @param window the window over the output
   * @param activation the activation
   * @throws IllegalArgumentException if {@code image} does not have four dimensions or is not of
   *     this graph, the name is taken, {@code channels < 1}, or the window has a dilation
   */
  public GraphTensor transposeConv(
      String tensorName, GraphTensor image, int channels, Window window, Activation activation) {
    int code = BuiltinOperator.TRANSPOSE_CONV;
    long[] shape = ResultShape.of(code, tensorName).transposedConvolution(image, channels, window);
    OperatorOptions options = OperatorOptions.transposeConv(window, activation);
    return addOperator(code, options, tensorName, shape, image);
  }

  /**
   * {@return the output of a new {@code AVERAGE_POOL_2D}}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @param window the window
   * @throws IllegalArgumentException if {@code image} does not have four dimensions or is not of
   *     this graph, the name is taken, or the window has a dilation or does not fit
   */
  public GraphTensor averagePool2d(String tensorName, GraphTensor image, Window window) {
    return pool2d(BuiltinOperator.AVERAGE_POOL_2D, tensorName, image, window);
  }

  /**
   * {@return the output of a new {@code MAX_POOL_2D}}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @param window the window
   * @throws IllegalArgumentException as {@link #averagePool2d}
   */
  public GraphTensor maxPool2d(String tensorName, GraphTensor image, Window window) {
    return pool2d(BuiltinOperator.MAX_POOL_2D, tensorName, image, window);
  }

  /**
   * {@return the output of a new {@code ADD}}
   *
   * @param tensorName the name of the output
   * @param left the first summand
   * @param right the second summand
   * @param activation the activation
   * @throws IllegalArgumentException if the summands differ in shape or type or are not of this
   *     graph, or the name is taken
   */
  public GraphTensor add(
      String tensorName, GraphTensor left, GraphTensor right, Activation activation) {
    int code = BuiltinOperator.ADD;
    long[] shape = ResultShape.of(code, tensorName).sum(left, right);
    return addOperator(code, OperatorOptions.add(activation), tensorName, shape, left, right);
  }

  /**
   * {@return the output of a new {@code CONCATENATION} along the last dimension, the channels}
   *
   * @param tensorName the name of the output
   * @param parts the inputs
   * @throws IllegalArgumentException if there is no part, the parts differ in type or in a
   *     dimension before the last, one is not of this graph, or the name is taken
   */
  public GraphTensor concatenate(String tensorName, GraphTensor... parts) {
    int code = BuiltinOperator.CONCATENATION;
    long[] shape = ResultShape.of(code, tensorName).concatenation(List.of(parts));
    OperatorOptions options = OperatorOptions.concatenation(shape.length - 1);
    return addOperator(code, options, tensorName, shape, parts);
  }

  /**
   * {@return the output of a new {@code RESIZE_BILINEAR}, corners aligned}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @param height the rows of the output
   * @param width the columns of the output
   * @throws IllegalArgumentException if {@code image} does not have four dimensions or is not of
   *     this graph, the name is taken, {@code height < 1} or {@code width < 1}
   */
  public GraphTensor resizeBilinear(String tensorName, GraphTensor image, int height, int width) {
    int code = BuiltinOperator.RESIZE_BILINEAR;
    long[] shape = ResultShape.of(code, tensorName).resizing(image, height, width);
    return addOperator(code, OperatorOptions.resizeBilinear(), tensorName, shape, image);
  }

  /**
   * {@return the output of a new {@code RESHAPE}}
   *
   * @param tensorName the name of the output
   * @param input the input
   * @param newShape the dimensions of the output
   * @throws IllegalArgumentException if the number of elements changes, {@code input} is not of
   *     this graph, or the name is taken
   */
  public GraphTensor reshape(String tensorName, GraphTensor input, int... newShape) {
    int code = BuiltinOperator.RESHAPE;
    long[] shape = ResultShape.of(code, tensorName).reshaping(input, newShape);
    return addOperator(code, OperatorOptions.reshape(newShape), tensorName, shape, input);
  }

  /**
   * {@return the output of a new {@code SOFTMAX} along the last dimension}
   *
   * @param tensorName the name of the output
   * @param input the input
   * @throws IllegalArgumentException if {@code input} is not of this graph, or the name is taken
   */
  public GraphTensor softmax(String tensorName, GraphTensor input) {
    long[] shape = input.dimensions();
    OperatorOptions options = OperatorOptions.softmax();
    return addOperator(BuiltinOperator.SOFTMAX, options, tensorName, shape, input);
  }

  /**
   * {@return the output of a new {@code MEAN} over an image's rows and columns: batch, channels}
   *
   * @param tensorName the name of the output
   * @param image the input
   * @throws IllegalArgumentException if {@code image} does not have four dimensions or is not of
   *     this graph, or the name is taken
   */
  public GraphTensor mean(String tensorName, GraphTensor image) {
    int code = BuiltinOperator.MEAN;
    long[] shape = ResultShape.of(code, tensorName).meanOfImage(image);
    return addOperator(code, OperatorOptions.mean(), tensorName, shape, image);
  }

  /**
   * {@return the output of a new {@code FULLY_CONNECTED}: batch, units}
   *
   * @param tensorName the name of the output
   * @param input the input: batch, features
   * @param units the values for each element of the batch
   * @param activation the activation
   * @throws IllegalArgumentException if {@code input} does not have two dimensions or is not of
   *     this graph, the name is taken, or {@code units < 1}
   */
  public GraphTensor fullyConnected(
      String tensorName, GraphTensor input, int units, Activation activation) {
    int code = BuiltinOperator.FULLY_CONNECTED;
    long[] shape = ResultShape.of(code, tensorName).fullyConnected(input, units);
    OperatorOptions options = OperatorOptions.fullyConnected(activation);
    return addOperator(code, options, tensorName, shape, input);
  }

  /**
   * {@return the bytes of a {@code .tflite} file; equal calls give equal bytes}
   *
   * @throws IllegalStateException if the graph has no output
   */
  public byte[] toBytes() {
    if (outputs.isEmpty()) {
      throw new IllegalStateException("graph '" + name + "' has no output; call output(...) first");
    }
    return new TfliteModelWriter(name).write(tensors, operators, inputs, outputs);
  }

  /**
   * Writes {@link #toBytes()} to a file, which it replaces.
   *
   * @param file the file
   * @throws IllegalStateException if the graph has no output
   * @throws IOException if the file cannot be written
   */
  public void writeTo(Path file) throws IOException {
    Files.write(file, toBytes());
  }

  private GraphTensor pool2d(int code, String tensorName, GraphTensor image, Window window) {
    long[] shape = ResultShape.of(code, tensorName).pooling(image, window);
    return addOperator(code, OperatorOptions.pool2d(window), tensorName, shape, image);
  }

  private GraphTensor addOperator(
      int code, OperatorOptions options, String tensorName, long[] shape, GraphTensor... read) {
    for (GraphTensor tensor : read) {
      checkOwn(tensor);
    }
    GraphTensor output = addTensor(tensorName, read[0].type(), shape);
    operators.add(GraphOperator.of(code, List.of(read), output, options));
    return output;
  }

  private GraphTensor addTensor(String tensorName, byte type, long[] shape) {
    GraphTensor tensor = GraphTensor.of(tensors.size(), tensorName, type, shape);
    if (!tensorNames.add(tensorName)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "graph '%s' already has a tensor '%s'", name, tensorName));
    }
    tensors.add(tensor);
    return tensor;
  }

  private void checkOwn(GraphTensor tensor) {
    boolean isOwn = tensor.index() < tensors.size() && tensors.get(tensor.index()).equals(tensor);
    if (!isOwn) {
      throw new IllegalArgumentException(tensor + " is not a tensor of graph '" + name + "'");
    }
  }
}
