package dev.stowage.tflite.micro;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.tensorflow.lite.schema.BufferT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.BuiltinOptionsUnion;
import org.tensorflow.lite.schema.ConcatenationOptionsT;
import org.tensorflow.lite.schema.Conv2DOptionsT;
import org.tensorflow.lite.schema.DepthwiseConv2DOptionsT;
import org.tensorflow.lite.schema.FullyConnectedOptionsT;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.ModelT;
import org.tensorflow.lite.schema.OperatorCodeT;
import org.tensorflow.lite.schema.OperatorT;
import org.tensorflow.lite.schema.QuantizationParametersT;
import org.tensorflow.lite.schema.ReducerOptionsT;
import org.tensorflow.lite.schema.ReshapeOptionsT;
import org.tensorflow.lite.schema.SoftmaxOptionsT;
import org.tensorflow.lite.schema.SubGraphT;
import org.tensorflow.lite.schema.TensorT;
import org.tensorflow.lite.schema.TensorType;
import org.tensorflow.lite.schema.TransposeConvOptionsT;

/**
 * The model of {@code examples/tflm/}: a small detector in 8-bit integers with arbitrary weights.
 *
 * <p>TensorFlow Lite Micro can run it. Its results are a heat map and the probabilities of four
 * classes:
 *
 * <pre>
 *   image - stem -+- wide_a - narrow_a -+
 *                 +- wide_b - narrow_b -+- joined - tokens - mixed -+- grid - heat_map
 *                 +- wide_c - narrow_c -+                           +- mean - scores - probabilities
 * </pre>
 */
final class TinyDetector {

  private static final float SCALE = 0.05f;

  private final List<BufferT> buffers = new ArrayList<>();
  private final List<TensorT> tensors = new ArrayList<>();
  private final List<OperatorT> operators = new ArrayList<>();
  private final List<Integer> codes = new ArrayList<>();
  private final Random weights = new Random(1);

  private TinyDetector() {
    buffers.add(new BufferT());
  }

  /** {@return the bytes of the file} */
  static byte[] toBytes() {
    TinyDetector net = new TinyDetector();
    int image = net.tensor("image", 1, 48, 48, 1);
    int stem = net.conv("stem", image, 3, 2, 24, 1, 4);
    int wideA = net.conv("wide_a", stem, 1, 1, 24, 4, 12);
    int narrowA = net.depthwise("narrow_a", wideA, 12, 12);
    int wideB = net.conv("wide_b", stem, 1, 1, 24, 4, 24);
    int narrowB = net.conv("narrow_b", wideB, 3, 2, 12, 24, 24);
    int wideC = net.conv("wide_c", stem, 1, 1, 24, 4, 12);
    int narrowC = net.conv("narrow_c", wideC, 3, 2, 12, 12, 32);
    int joined = net.join("joined", 68, narrowA, narrowB, narrowC);
    int tokens = net.reshape("tokens", joined, 1, 144, 68);
    int mixed = net.dense("mixed", tokens, 68, 80, 1, 144, 80);
    int grid = net.reshape("grid", mixed, 1, 12, 12, 80);
    int heatMap = net.enlarged("heat_map", grid, 80, 1);
    int mean = net.mean("mean", mixed, 80);
    int scores = net.dense("scores", mean, 80, 4, 1, 4);
    int probabilities = net.softmax("probabilities", scores, 4);
    return net.write(image, probabilities, heatMap);
  }

  private int conv(
      String name, int input, int kernel, int stride, int side, int channels, int filters) {
    Conv2DOptionsT options = new Conv2DOptionsT();
    options.setStrideW(stride);
    options.setStrideH(stride);
    options.setDilationWFactor(1);
    options.setDilationHFactor(1);
    int filter = weights(name + "/filter", filters, 0, filters, kernel, kernel, channels);
    int output = tensor(name, 1, side, side, filters);
    return operator(
        BuiltinOperator.CONV_2D,
        BuiltinOptions.Conv2DOptions,
        options,
        output,
        input,
        filter,
        bias(name, filters));
  }

  private int depthwise(String name, int input, int side, int channels) {
    DepthwiseConv2DOptionsT options = new DepthwiseConv2DOptionsT();
    options.setStrideW(2);
    options.setStrideH(2);
    options.setDepthMultiplier(1);
    options.setDilationWFactor(1);
    options.setDilationHFactor(1);
    int filter = weights(name + "/filter", channels, 3, 1, 3, 3, channels);
    int output = tensor(name, 1, side, side, channels);
    return operator(
        BuiltinOperator.DEPTHWISE_CONV_2D,
        BuiltinOptions.DepthwiseConv2DOptions,
        options,
        output,
        input,
        filter,
        bias(name, channels));
  }

  private int join(String name, int channels, int... parts) {
    ConcatenationOptionsT options = new ConcatenationOptionsT();
    options.setAxis(3);
    int output = tensor(name, 1, 12, 12, channels);
    return operator(
        BuiltinOperator.CONCATENATION, BuiltinOptions.ConcatenationOptions, options, output, parts);
  }

  private int reshape(String name, int input, int... shape) {
    ReshapeOptionsT options = new ReshapeOptionsT();
    options.setNewShape(shape);
    int newShape = ints(name + "/shape", shape);
    int output = tensor(name, shape);
    return operator(
        BuiltinOperator.RESHAPE, BuiltinOptions.ReshapeOptions, options, output, input, newShape);
  }

  private int dense(String name, int input, int features, int units, int... shape) {
    FullyConnectedOptionsT options = new FullyConnectedOptionsT();
    options.setKeepNumDims(shape.length > 2);
    int filter = weights(name + "/filter", 1, 0, units, features);
    return operator(
        BuiltinOperator.FULLY_CONNECTED,
        BuiltinOptions.FullyConnectedOptions,
        options,
        tensor(name, shape),
        input,
        filter,
        bias(name, units));
  }

  private int enlarged(String name, int input, int channels, int filters) {
    TransposeConvOptionsT options = new TransposeConvOptionsT();
    options.setStrideW(2);
    options.setStrideH(2);
    int shape = ints(name + "/shape", 1, 24, 24, filters);
    int filter = weights(name + "/filter", filters, 0, filters, 3, 3, channels);
    int output = tensor(name, 1, 24, 24, filters);
    return operator(
        BuiltinOperator.TRANSPOSE_CONV,
        BuiltinOptions.TransposeConvOptions,
        options,
        output,
        shape,
        filter,
        input,
        bias(name, filters));
  }

  private int mean(String name, int input, int channels) {
    int axis = ints(name + "/axis", 1);
    int output = tensor(name, 1, channels);
    return operator(
        BuiltinOperator.MEAN,
        BuiltinOptions.ReducerOptions,
        new ReducerOptionsT(),
        output,
        input,
        axis);
  }

  private int softmax(String name, int input, int classes) {
    SoftmaxOptionsT options = new SoftmaxOptionsT();
    options.setBeta(1);
    int output = tensor(name, 1, classes);
    // The kernel requires this scale and this zero point.
    tensors.get(output).setQuantization(quantization(0, 1, 1f / 256, -128));
    return operator(BuiltinOperator.SOFTMAX, BuiltinOptions.SoftmaxOptions, options, output, input);
  }

  private int tensor(String name, int... shape) {
    TensorT tensor = new TensorT();
    tensor.setName(name);
    tensor.setShape(shape);
    tensor.setType(TensorType.INT8);
    tensor.setQuantization(quantization(0, 1, SCALE, 0));
    tensors.add(tensor);
    return tensors.size() - 1;
  }

  private int weights(String name, int scales, int dimension, int... shape) {
    int elements = 1;
    for (int size : shape) {
      elements *= size;
    }
    byte[] values = new byte[elements];
    weights.nextBytes(values);
    int index = tensor(name, shape);
    tensors.get(index).setQuantization(quantization(dimension, scales, SCALE / 12, 0));
    tensors.get(index).setBuffer(data(values));
    return index;
  }

  private int bias(String name, int channels) {
    return ints(name + "/bias", weights.ints(channels, -100, 100).toArray());
  }

  private int ints(String name, int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(values);
    TensorT tensor = new TensorT();
    tensor.setName(name);
    tensor.setShape(new int[] {values.length});
    tensor.setType(TensorType.INT32);
    tensor.setBuffer(data(bytes.array()));
    tensors.add(tensor);
    return tensors.size() - 1;
  }

  private int data(byte[] values) {
    int[] unsigned = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      unsigned[i] = Byte.toUnsignedInt(values[i]);
    }
    BufferT buffer = new BufferT();
    buffer.setData(unsigned);
    buffers.add(buffer);
    return buffers.size() - 1;
  }

  private static QuantizationParametersT quantization(
      int dimension, int scales, float scale, long zeroPoint) {
    float[] allScales = new float[scales];
    long[] zeroPoints = new long[scales];
    Arrays.fill(allScales, scale);
    Arrays.fill(zeroPoints, zeroPoint);
    QuantizationParametersT quantization = new QuantizationParametersT();
    quantization.setScale(allScales);
    quantization.setZeroPoint(zeroPoints);
    quantization.setQuantizedDimension(dimension);
    return quantization;
  }

  private int operator(int code, byte optionsType, Object options, int output, int... inputs) {
    if (!codes.contains(code)) {
      codes.add(code);
    }
    BuiltinOptionsUnion union = new BuiltinOptionsUnion();
    union.setType(optionsType);
    union.setValue(options);
    OperatorT operator = new OperatorT();
    operator.setOpcodeIndex(codes.indexOf(code));
    operator.setBuiltinOptions(union);
    operator.setInputs(inputs);
    operator.setOutputs(new int[] {output});
    operators.add(operator);
    return output;
  }

  private byte[] write(int input, int... outputs) {
    SubGraphT graph = new SubGraphT();
    graph.setName("main");
    graph.setTensors(tensors.toArray(TensorT[]::new));
    graph.setOperators(operators.toArray(OperatorT[]::new));
    graph.setInputs(new int[] {input});
    graph.setOutputs(outputs);
    ModelT model = new ModelT();
    model.setVersion(3);
    model.setDescription("tiny detector");
    model.setBuffers(buffers.toArray(BufferT[]::new));
    model.setSubgraphs(new SubGraphT[] {graph});
    model.setOperatorCodes(codes.stream().map(TinyDetector::code).toArray(OperatorCodeT[]::new));
    FlatBufferBuilder builder = new FlatBufferBuilder();
    Model.finishModelBuffer(builder, Model.pack(builder, model));
    return builder.sizedByteArray();
  }

  private static OperatorCodeT code(int builtinCode) {
    OperatorCodeT code = new OperatorCodeT();
    code.setDeprecatedBuiltinCode((byte) builtinCode);
    code.setBuiltinCode(builtinCode);
    code.setVersion(1);
    return code;
  }
}
