package dev.stowage.tflite.micro;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.stowage.tflite.micro.CompressedData.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.AddOptionsT;
import org.tensorflow.lite.schema.BufferT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.BuiltinOptionsUnion;
import org.tensorflow.lite.schema.CallOnceOptionsT;
import org.tensorflow.lite.schema.ConcatenationOptionsT;
import org.tensorflow.lite.schema.Conv2DOptionsT;
import org.tensorflow.lite.schema.DepthwiseConv2DOptionsT;
import org.tensorflow.lite.schema.FullyConnectedOptionsT;
import org.tensorflow.lite.schema.IfOptionsT;
import org.tensorflow.lite.schema.MetadataT;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.ModelT;
import org.tensorflow.lite.schema.OperatorCodeT;
import org.tensorflow.lite.schema.OperatorT;
import org.tensorflow.lite.schema.QuantizationParametersT;
import org.tensorflow.lite.schema.SubGraphT;
import org.tensorflow.lite.schema.TensorT;
import org.tensorflow.lite.schema.VarHandleOptionsT;

/**
 * A model with compressed constants that TensorFlow Lite Micro runs: convolutions of images of 8 x
 * 8 pixels, in 8-bit integers.
 */
final class CompressedModel {

  static final int BOOL = 6;
  static final int INT8 = 9;
  static final int INT32 = 2;
  static final int UINT8 = 3;
  private static final int RESOURCE = 13;

  private static final int SIDE = 8;
  private static final float SCALE = 0.1f;
  private static final float WEIGHT_SCALE = 0.02f;

  private final Random random;
  private final List<BufferT> buffers = new ArrayList<>();
  private final List<OperatorCodeT> codes = new ArrayList<>();
  private final List<Graph> graphs = new ArrayList<>();

  CompressedModel(long seed) {
    random = new Random(seed);
    data(new byte[0]);
  }

  Random random() {
    return random;
  }

  /** Adds a buffer and {@return its index}. */
  int data(byte[] bytes) {
    BufferT buffer = new BufferT();
    int[] values = new int[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      values[i] = bytes[i];
    }
    buffer.setData(values);
    buffers.add(buffer);
    return buffers.size() - 1;
  }

  Graph graph() {
    Graph graph = new Graph();
    graphs.add(graph);
    return graph;
  }

  private int code(int builtin, String custom) {
    for (int i = 0; i < codes.size(); i++) {
      if (codes.get(i).getBuiltinCode() == builtin
          && custom.equals(String.valueOf(codes.get(i).getCustomCode()))) {
        return i;
      }
    }
    OperatorCodeT code = new OperatorCodeT();
    code.setBuiltinCode(builtin);
    code.setDeprecatedBuiltinCode((byte) Math.min(builtin, 127));
    code.setVersion(1);
    if (!custom.equals("null")) {
      code.setCustomCode(custom);
    }
    codes.add(code);
    return codes.size() - 1;
  }

  /** A decoding of constants that an operator TFLM_DECODE computes. */
  record Decoding(int encoded, int ancillary, int output) {}

  /** A compressed tensor of the metadata. */
  private record Lookup(int tensor, int valueBuffer, int bits) {}

  /** A subgraph. */
  final class Graph {

    private final List<TensorT> tensors = new ArrayList<>();
    private final List<OperatorT> operators = new ArrayList<>();
    private final List<Lookup> lookups = new ArrayList<>();
    private int[] inputs = new int[0];
    private int[] outputs = new int[0];

    /** The decodings of the next operator. */
    private final List<Decoding> pending = new ArrayList<>();

    /** True if one TFLM_DECODE decodes all constants of an operator, directly in front of it. */
    private boolean isAsCompressed = true;

    void decodeSeparately() {
      isAsCompressed = false;
    }

    void inputs(int... indices) {
      inputs = indices;
    }

    void outputs(int... indices) {
      outputs = indices;
    }

    int tensor(int type, int buffer, float[] scales, int dimension, int... shape) {
      TensorT tensor = new TensorT();
      tensor.setName("g" + graphs.indexOf(this) + "t" + tensors.size());
      tensor.setType((byte) type);
      tensor.setBuffer(buffer);
      tensor.setShape(shape);
      if (scales.length > 0) {
        QuantizationParametersT quantization = new QuantizationParametersT();
        quantization.setScale(scales);
        quantization.setZeroPoint(new long[scales.length]);
        quantization.setQuantizedDimension(dimension);
        tensor.setQuantization(quantization);
      }
      tensors.add(tensor);
      return tensors.size() - 1;
    }

    int image(int channels) {
      return tensor(INT8, 0, new float[] {SCALE}, 0, 1, SIDE, SIDE, channels);
    }

    int channels(int image) {
      return tensors.get(image).getShape()[3];
    }

    int flag() {
      return tensor(BOOL, 0, new float[0], 0, 1);
    }

    private Graph operator(int code, int type, Object options, int[] read, int... written) {
      return operator(code(code, "null"), union(type, options), read, written);
    }

    private Graph operator(int code, BuiltinOptionsUnion options, int[] read, int... written) {
      flush();
      OperatorT operator = new OperatorT();
      operator.setOpcodeIndex(code);
      operator.setBuiltinOptions(options);
      operator.setInputs(read);
      operator.setOutputs(written);
      operators.add(operator);
      return this;
    }

    private static BuiltinOptionsUnion union(int type, Object options) {
      BuiltinOptionsUnion union = new BuiltinOptionsUnion();
      union.setType((byte) type);
      union.setValue(options);
      return union;
    }

    /** Adds the operators for the decodings so far. */
    void flush() {
      List<Decoding> all = List.copyOf(pending);
      pending.clear();
      if (isAsCompressed && !all.isEmpty()) {
        decode(all);
      } else {
        all.forEach(it -> decode(List.of(it)));
      }
    }

    private void decode(List<Decoding> all) {
      decode(
          all.stream().flatMapToInt(it -> IntStream.of(it.encoded, it.ancillary)).toArray(),
          all.stream().mapToInt(Decoding::output).toArray());
    }

    Graph decode(int[] read, int... written) {
      return operator(
          code(BuiltinOperator.CUSTOM, "TFLM_DECODE"), new BuiltinOptionsUnion(), read, written);
    }

    void lookUp(int tensor, int valueBuffer, int bits) {
      lookups.add(new Lookup(tensor, valueBuffer, bits));
    }

    /**
     * Adds a constant in a form and {@return the tensor that operators read}
     *
     * @param channels the number of scales; their dimension is the first or the last one
     */
    int constant(Form form, int type, float scale, int channels, int dimension, int... shape) {
      int count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
      int elementBytes = type == INT32 ? Integer.BYTES : 1;
      boolean isAlongEnd = dimension > 0 && channels > 1;
      CompressedData values =
          CompressedData.of(random, form, count, elementBytes, channels, isAlongEnd);
      float[] scales = new float[channels];
      Arrays.fill(scales, scale);
      return switch (form) {
        case PLAIN -> tensor(type, data(values.encoded()), scales, dimension, shape);
        case METADATA -> {
          int tensor = tensor(type, data(values.encoded()), scales, dimension, shape);
          lookups.add(new Lookup(tensor, data(values.ancillary()), values.bits()));
          yield tensor;
        }
        case LUT, HUFFMAN, PRUNED -> {
          int encoded = bytes(values.encoded());
          int ancillary = bytes(values.ancillary());
          int output = tensor(type, 0, scales, dimension, shape);
          pending.add(new Decoding(encoded, ancillary, output));
          yield output;
        }
      };
    }

    int bytes(byte... data) {
      return tensor(UINT8, data(data), new float[0], 0, data.length);
    }

    /** {@return an image that an operator computes with compressed weights} */
    int convolution(int image, int channels, Form weights, Form bias) {
      int filter =
          constant(weights, INT8, WEIGHT_SCALE, channels, 0, channels, 3, 3, channels(image));
      int added = constant(bias, INT32, SCALE * WEIGHT_SCALE, channels, 0, channels);
      Conv2DOptionsT options = new Conv2DOptionsT();
      options.setStrideW(1);
      options.setStrideH(1);
      options.setDilationWFactor(1);
      options.setDilationHFactor(1);
      flush();
      int result = image(channels);
      operator(
          BuiltinOperator.CONV_2D,
          BuiltinOptions.Conv2DOptions,
          options,
          new int[] {image, filter, added},
          result);
      return result;
    }

    int depthwise(int image, Form weights, Form bias) {
      int channels = channels(image);
      int filter =
          constant(weights, INT8, WEIGHT_SCALE, channels, channels == 1 ? 0 : 3, 1, 3, 3, channels);
      int added = constant(bias, INT32, SCALE * WEIGHT_SCALE, channels, 0, channels);
      DepthwiseConv2DOptionsT options = new DepthwiseConv2DOptionsT();
      options.setStrideW(1);
      options.setStrideH(1);
      options.setDilationWFactor(1);
      options.setDilationHFactor(1);
      options.setDepthMultiplier(1);
      flush();
      int result = image(channels);
      operator(
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOptions.DepthwiseConv2DOptions,
          options,
          new int[] {image, filter, added},
          result);
      return result;
    }

    int fullyConnected(int image, int units, Form weights, Form bias) {
      int inputs = SIDE * SIDE * channels(image);
      int filter = constant(weights, INT8, WEIGHT_SCALE, 1, 0, units, inputs);
      int added = constant(bias, INT32, SCALE * WEIGHT_SCALE, 1, 0, units);
      flush();
      int result = tensor(INT8, 0, new float[] {SCALE}, 0, 1, units);
      operator(
          BuiltinOperator.FULLY_CONNECTED,
          BuiltinOptions.FullyConnectedOptions,
          new FullyConnectedOptionsT(),
          new int[] {image, filter, added},
          result);
      return result;
    }

    /** {@return images side by side, of which the last one is a constant if it has channels} */
    int concatenation(List<Integer> images, int constantChannels, Form form) {
      List<Integer> all = new ArrayList<>(images);
      if (constantChannels > 0) {
        all.add(constant(form, INT8, SCALE, 1, 0, 1, SIDE, SIDE, constantChannels));
      }
      flush();
      ConcatenationOptionsT options = new ConcatenationOptionsT();
      options.setAxis(3);
      int result = image(all.stream().mapToInt(this::channels).sum());
      operator(
          BuiltinOperator.CONCATENATION,
          BuiltinOptions.ConcatenationOptions,
          options,
          all.stream().mapToInt(Integer::intValue).toArray(),
          result);
      return result;
    }

    int sum(int a, int b) {
      int result = image(channels(a));
      operator(
          BuiltinOperator.ADD,
          BuiltinOptions.AddOptions,
          new AddOptionsT(),
          new int[] {a, b},
          result);
      return result;
    }

    int branch(int flag, int image, int channels, Graph then, Graph otherwise) {
      IfOptionsT options = new IfOptionsT();
      options.setThenSubgraphIndex(graphs.indexOf(then));
      options.setElseSubgraphIndex(graphs.indexOf(otherwise));
      int result = image(channels);
      operator(
          BuiltinOperator.IF, BuiltinOptions.IfOptions, options, new int[] {flag, image}, result);
      return result;
    }

    void callOnce(Graph called) {
      CallOnceOptionsT options = new CallOnceOptionsT();
      options.setInitSubgraphIndex(graphs.indexOf(called));
      operator(BuiltinOperator.CALL_ONCE, BuiltinOptions.CallOnceOptions, options, new int[0]);
    }

    int variable() {
      VarHandleOptionsT options = new VarHandleOptionsT();
      options.setContainer("");
      options.setSharedName("v");
      int handle = tensor(RESOURCE, 0, new float[0], 0);
      operator(
          BuiltinOperator.VAR_HANDLE, BuiltinOptions.VarHandleOptions, options, new int[0], handle);
      return handle;
    }

    void assign(int handle, int value) {
      operator(BuiltinOperator.ASSIGN_VARIABLE, 0, new Object(), new int[] {handle, value});
    }

    int read(int handle, int channels) {
      int result = image(channels);
      operator(BuiltinOperator.READ_VARIABLE, 0, new Object(), new int[] {handle}, result);
      return result;
    }

    private SubGraphT toSubgraph() {
      SubGraphT subgraph = new SubGraphT();
      subgraph.setTensors(tensors.toArray(TensorT[]::new));
      subgraph.setOperators(operators.toArray(OperatorT[]::new));
      subgraph.setInputs(inputs);
      subgraph.setOutputs(outputs);
      return subgraph;
    }
  }

  /** {@return the bytes of the model} */
  byte[] write() {
    ModelT model = new ModelT();
    model.setVersion(3);
    model.setDescription("for tests");
    if (graphs.stream().anyMatch(graph -> !graph.lookups.isEmpty())) {
      MetadataT entry = new MetadataT();
      entry.setName("COMPRESSION_METADATA");
      entry.setBuffer(data(metadata()));
      model.setMetadata(new MetadataT[] {entry});
    }
    model.setBuffers(buffers.toArray(BufferT[]::new));
    model.setOperatorCodes(codes.toArray(OperatorCodeT[]::new));
    model.setSubgraphs(graphs.stream().map(Graph::toSubgraph).toArray(SubGraphT[]::new));
    FlatBufferBuilder builder = new FlatBufferBuilder();
    Model.finishModelBuffer(builder, Model.pack(builder, model));
    return builder.sizedByteArray();
  }

  /**
   * {@return the flatbuffer of the metadata; the subgraphs after the last one with lookups are
   * missing}
   */
  private byte[] metadata() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    List<Integer> subgraphs = new ArrayList<>();
    for (Graph graph : graphs) {
      if (graph.lookups.isEmpty()) {
        break;
      }
      List<Integer> entries = new ArrayList<>();
      for (Lookup lookup : graph.lookups) {
        builder.startTable(3);
        builder.addInt(0, lookup.tensor, 0);
        builder.addInt(1, lookup.valueBuffer, 0);
        builder.addByte(2, (byte) lookup.bits, 0);
        entries.add(builder.endTable());
      }
      int vector = builder.createVectorOfTables(ints(entries));
      builder.startTable(1);
      builder.addOffset(0, vector, 0);
      subgraphs.add(builder.endTable());
    }
    int vector = builder.createVectorOfTables(ints(subgraphs));
    builder.startTable(2);
    builder.addOffset(1, vector, 0);
    builder.finish(builder.endTable());
    return builder.sizedByteArray();
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
