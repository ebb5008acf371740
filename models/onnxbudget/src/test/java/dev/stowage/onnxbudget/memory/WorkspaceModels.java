package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** Models of one operator with random shapes and attributes. */
final class WorkspaceModels {

  private static final String CONTRIBUTED = "com.microsoft";
  private static final int FLOAT = DataType.FLOAT_VALUE;
  private static final int UNSIGNED = DataType.UINT8_VALUE;
  private static final int SIGNED = DataType.INT8_VALUE;

  private WorkspaceModels() {}

  /** {@return the operators whose rule is equal to the requests} */
  static List<String> exact() {
    return List.of(
        "Attention",
        "BiasGelu",
        "ConvInteger",
        "DeformConv",
        "DynamicQuantizeMatMul",
        "FastGelu",
        "LRN",
        "MatMulNBits",
        "Max",
        "MeanVarianceNormalization",
        "NhwcMaxPool",
        "QAttention",
        "QGemm",
        "QLinearAveragePool",
        "QLinearConv",
        "QLinearConv channels_last",
        "QLinearMatMul",
        "Softmax",
        "StandardAttention",
        "Where");
  }

  /** {@return the operators whose rule is an upper bound} */
  static List<String> bounded() {
    return List.of("DynamicQuantizeLSTM", "GRU", "LSTM", "MultiHeadAttention", "Resize");
  }

  static ModelProto random(String operator, Random random) {
    return switch (operator) {
      case "Attention", "QAttention" -> attention(operator, random);
      case "StandardAttention" -> standardAttention(random);
      case "MultiHeadAttention" -> multiHead(random);
      case "BiasGelu", "FastGelu" -> {
        long[] shape = {1L + random.nextInt(9), 1L + random.nextInt(30)};
        yield new Model(operator, CONTRIBUTED).input(FLOAT, shape).weight(FLOAT, shape[1]).build();
      }
      case "ConvInteger", "QLinearConv", "QLinearConv channels_last" ->
          convolution(operator, random);
      case "DeformConv" -> deformable(random);
      case "DynamicQuantizeMatMul", "QGemm", "QLinearMatMul" -> matrix(operator, random);
      case "MatMulNBits" -> blocks(random);
      case "LRN" ->
          new Model(operator)
              .attribute("size", 1 + 2L * random.nextInt(3))
              .input(FLOAT, image(random))
              .build();
      case "Max" -> variadic(random);
      case "MeanVarianceNormalization" -> new Model(operator).input(FLOAT, image(random)).build();
      case "NhwcMaxPool", "QLinearAveragePool" -> pool(operator, random);
      case "Softmax" ->
          new Model(operator)
              .attribute("axis", random.nextInt(8) - 4)
              .input(FLOAT, image(random))
              .build();
      case "Where" -> {
        long[] shape = image(random);
        yield new Model(operator)
            .input(DataType.BOOL_VALUE, someOnes(shape, random))
            .input(FLOAT, someOnes(shape, random))
            .input(FLOAT, someOnes(shape, random))
            .build();
      }
      case "GRU", "LSTM", "DynamicQuantizeLSTM" -> recurrent(operator, random);
      case "Resize" ->
          new Model(operator)
              .attribute("mode", List.of("linear", "nearest", "cubic").get(random.nextInt(3)))
              .input(FLOAT, image(random))
              .missing()
              .scales(1, 1, 2, 3)
              .build();
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static long[] image(Random random) {
    return random.longs(4, 1, 12).toArray();
  }

  private static long[] someOnes(long[] shape, Random random) {
    return LongStream.of(shape).map(size -> random.nextBoolean() ? size : 1).toArray();
  }

  private static ModelProto convolution(String operator, Random random) {
    int rank = 1 + random.nextInt(3);
    boolean isDepthwise = random.nextInt(4) == 0;
    long groups = isDepthwise ? 8L << random.nextInt(3) : 1L + random.nextInt(2);
    long inputs = isDepthwise ? 1 : 1L + random.nextInt(8);
    long outputs = isDepthwise ? 1 : 1L + random.nextInt(24);
    boolean isLast = operator.endsWith("last");
    long[] input = random.longs(rank + 2, 5, 12).toArray();
    input[0] = 1L + random.nextInt(3);
    input[isLast ? rank + 1 : 1] = groups * inputs;
    long[] weight = new long[rank + 2];
    weight[0] = groups * outputs;
    weight[1] = inputs;
    long window = 1 + 2L * random.nextInt(2);
    for (int axis = 2; axis < weight.length; axis++) {
      weight[axis] = window;
    }
    boolean isInteger = operator.equals("ConvInteger");
    Model model =
        isInteger ? new Model(operator) : new Model("QLinearConv", isLast ? CONTRIBUTED : "");
    if (isLast) {
      model.attribute("channels_last", 1);
    }
    model.attribute("group", groups);
    if (random.nextBoolean()) {
      model.attributes("strides", LongStream.generate(() -> 2).limit(rank).toArray());
    }
    if (random.nextBoolean()) {
      model.attributes("pads", LongStream.generate(() -> 1).limit(2L * rank).toArray());
    }
    if (isInteger) {
      return model.input(UNSIGNED, input).weight(UNSIGNED, weight).build();
    }
    int weightType = random.nextBoolean() ? SIGNED : UNSIGNED;
    model.input(UNSIGNED, input).weight(FLOAT).weight(UNSIGNED);
    if (random.nextInt(4) == 0) {
      model.input(weightType, weight);
    } else {
      model.weight(weightType, weight);
    }
    return model.weight(FLOAT).weight(weightType).weight(FLOAT).weight(UNSIGNED).build();
  }

  private static ModelProto deformable(Random random) {
    long channels = 2L << random.nextInt(3);
    long groups = 1L + random.nextInt(2);
    long offsetGroups = 1L + random.nextInt(2);
    long[] input = {
      1L + random.nextInt(2), channels, 5L + random.nextInt(9), 5L + random.nextInt(9)
    };
    return new Model("DeformConv")
        .attributes("pads", 1, 1, 1, 1)
        .attribute("group", groups)
        .attribute("offset_group", offsetGroups)
        .input(FLOAT, input)
        .weight(FLOAT, 4, channels / groups, 3, 3)
        .input(FLOAT, input[0], 18 * offsetGroups, input[2], input[3])
        .build();
  }

  private static ModelProto matrix(String operator, Random random) {
    long rows = 1L + random.nextInt(20);
    long depth = 1L + random.nextInt(70);
    long columns = 1L + random.nextInt(40);
    long batch = 1L + random.nextInt(3);
    int type = random.nextBoolean() ? SIGNED : UNSIGNED;
    return switch (operator) {
      case "DynamicQuantizeMatMul" ->
          new Model(operator, CONTRIBUTED)
              .input(FLOAT, batch, rows, depth)
              .weight(type, depth, columns)
              .weight(FLOAT)
              .build();
      case "QLinearMatMul" ->
          new Model(operator)
              .input(UNSIGNED, batch, rows, depth)
              .weight(FLOAT)
              .weight(UNSIGNED)
              .weight(type, depth, columns)
              .weight(FLOAT)
              .weight(type)
              .weight(FLOAT)
              .weight(UNSIGNED)
              .build();
      default -> {
        Model model =
            new Model(operator, CONTRIBUTED)
                .input(UNSIGNED, rows, depth)
                .weight(FLOAT)
                .weight(UNSIGNED)
                .weight(type, depth, columns)
                .weight(FLOAT)
                .weight(type);
        yield random.nextBoolean()
            ? model.build()
            : model.missing().weight(FLOAT).weight(UNSIGNED).build();
      }
    };
  }

  private static ModelProto blocks(Random random) {
    long block = 16L << random.nextInt(4);
    long rows = 1L + random.nextInt(300);
    long columns = 1L + random.nextInt(40);
    long bits = 4L << random.nextInt(2);
    long blocks = Math.ceilDiv(rows, block);
    return new Model("MatMulNBits", CONTRIBUTED)
        .attribute("K", rows)
        .attribute("N", columns)
        .attribute("bits", bits)
        .attribute("block_size", block)
        .attribute("accuracy_level", random.nextBoolean() ? 4 : 0)
        .input(FLOAT, 1L + random.nextInt(3), 1L + random.nextInt(20), rows)
        .weight(UNSIGNED, columns, blocks, block * bits / 8)
        .weight(FLOAT, columns * blocks)
        .build();
  }

  private static ModelProto variadic(Random random) {
    long[] shape = image(random);
    Model model = new Model(List.of("Max", "Min", "Sum", "Mean").get(random.nextInt(4)));
    for (int input = random.nextInt(5); input >= 0; input--) {
      model.input(FLOAT, someOnes(shape, random));
    }
    return model.build();
  }

  private static ModelProto pool(String operator, Random random) {
    long[] input = {
      1L + random.nextInt(3),
      4L + random.nextInt(30),
      4L + random.nextInt(30),
      4L + random.nextInt(9)
    };
    Model model =
        new Model(operator, CONTRIBUTED).attributes("kernel_shape", 3, 2).input(UNSIGNED, input);
    return operator.equals("NhwcMaxPool")
        ? model.build()
        : model.weight(FLOAT).weight(UNSIGNED).weight(FLOAT).weight(UNSIGNED).build();
  }

  private static ModelProto attention(String operator, Random random) {
    long heads = 1L + random.nextInt(4);
    long width = heads * (1L + random.nextInt(20));
    long[] input = {1L + random.nextInt(3), 2L + random.nextInt(40), 64};
    Model model =
        new Model(operator, CONTRIBUTED)
            .attribute("num_heads", heads)
            .attribute("unidirectional", random.nextInt(2));
    boolean hasMask = random.nextBoolean();
    if (operator.equals("Attention")) {
      model.input(FLOAT, input).weight(FLOAT, 64, 3 * width).weight(FLOAT, 3 * width);
      return hasMask
          ? model.input(DataType.INT32_VALUE, input[0], input[1]).build()
          : model.build();
    }
    model
        .input(UNSIGNED, input)
        .weight(UNSIGNED, 64, 3 * width)
        .weight(FLOAT, 3 * width)
        .weight(FLOAT)
        .weight(FLOAT);
    if (hasMask) {
      model.input(DataType.INT32_VALUE, input[0], input[1]);
    } else {
      model.missing();
    }
    return model.weight(UNSIGNED).weight(UNSIGNED).build();
  }

  private static ModelProto standardAttention(Random random) {
    long heads = 1L + random.nextInt(4);
    long batch = 1L + random.nextInt(3);
    long length = 1L + random.nextInt(40);
    long total = 1L + random.nextInt(40);
    long width = 1L + random.nextInt(20);
    Model model = new Model("Attention").attribute("is_causal", random.nextInt(2));
    if (random.nextBoolean()) {
      model
          .input(FLOAT, batch, heads, length, width)
          .input(FLOAT, batch, heads, total, width)
          .input(FLOAT, batch, heads, total, width);
    } else {
      model
          .attribute("q_num_heads", heads)
          .attribute("kv_num_heads", heads)
          .input(FLOAT, batch, length, heads * width)
          .input(FLOAT, batch, total, heads * width)
          .input(FLOAT, batch, total, heads * width);
    }
    return switch (random.nextInt(3)) {
      case 0 -> model.input(FLOAT, length, total).build();
      case 1 -> model.input(DataType.BOOL_VALUE, length, total).build();
      default -> model.build();
    };
  }

  private static ModelProto multiHead(Random random) {
    long heads = 1L + random.nextInt(4);
    long batch = 1L + random.nextInt(3);
    long length = 2L + random.nextInt(40);
    long total = 2L + random.nextInt(40);
    long width = heads * (1L + random.nextInt(20));
    Model model =
        new Model("MultiHeadAttention", CONTRIBUTED)
            .attribute("num_heads", heads)
            .input(FLOAT, batch, length, width)
            .input(FLOAT, batch, total, width)
            .input(FLOAT, batch, total, width);
    return switch (random.nextInt(4)) {
      case 0 -> model.weight(FLOAT, 3 * width).build();
      case 1 -> model.missing().input(DataType.INT32_VALUE, batch, total).build();
      case 2 -> model.missing().missing().input(FLOAT, 1, 1, length, total).build();
      default -> model.build();
    };
  }

  private static ModelProto recurrent(String operator, Random random) {
    long hidden = 1L + random.nextInt(60);
    long inputs = 1L + random.nextInt(60);
    long[] input = {1L + random.nextInt(30), 1L + random.nextInt(4), inputs};
    long gates = (operator.equals("GRU") ? 3 : 4) * hidden;
    String direction = List.of("forward", "reverse", "bidirectional").get(random.nextInt(3));
    long directions = direction.equals("bidirectional") ? 2 : 1;
    boolean isQuantized = operator.equals("DynamicQuantizeLSTM");
    Model model =
        new Model(operator, isQuantized ? CONTRIBUTED : "")
            .attribute("hidden_size", hidden)
            .attribute("direction", direction)
            .input(FLOAT, input);
    if (!isQuantized) {
      model.weight(FLOAT, directions, gates, inputs).weight(FLOAT, directions, gates, hidden);
      return random.nextBoolean()
          ? model.build()
          : model.weight(FLOAT, directions, 2 * gates).build();
    }
    return model
        .weight(UNSIGNED, directions, inputs, gates)
        .weight(UNSIGNED, directions, hidden, gates)
        .weight(FLOAT, directions, 2 * gates)
        .missing()
        .missing()
        .missing()
        .missing()
        .weight(FLOAT, directions)
        .weight(UNSIGNED, directions)
        .weight(FLOAT, directions)
        .weight(UNSIGNED, directions)
        .build();
  }

  /** A builder of a model of one operator. */
  static final class Model {

    private static final long IR_VERSION = 8;
    private static final long OPERATORS_VERSION = 23;

    private final NodeProto.Builder node;
    private final GraphProto.Builder graph = GraphProto.newBuilder().setName("test");

    Model(String operator) {
      this(operator, "");
    }

    Model(String operator, String domain) {
      node =
          NodeProto.newBuilder()
              .setOpType(operator)
              .setDomain(domain)
              .setName("node")
              .addOutput("result");
    }

    Model attribute(String name, long value) {
      node.addAttribute(
          AttributeProto.newBuilder()
              .setName(name)
              .setType(AttributeProto.AttributeType.INT)
              .setI(value));
      return this;
    }

    Model attributes(String name, long... values) {
      node.addAttribute(
          AttributeProto.newBuilder()
              .setName(name)
              .setType(AttributeProto.AttributeType.INTS)
              .addAllInts(LongStream.of(values).boxed().toList()));
      return this;
    }

    Model attribute(String name, String value) {
      node.addAttribute(
          AttributeProto.newBuilder()
              .setName(name)
              .setType(AttributeProto.AttributeType.STRING)
              .setS(ByteString.copyFromUtf8(value)));
      return this;
    }

    Model input(int type, long... shape) {
      ValueInfoProto.Builder input = ValueInfoProto.newBuilder().setName(next());
      input.getTypeBuilder().getTensorTypeBuilder().setElemType(type).getShapeBuilder();
      for (long size : shape) {
        input
            .getTypeBuilder()
            .getTensorTypeBuilder()
            .getShapeBuilder()
            .addDimBuilder()
            .setDimValue(size);
      }
      graph.addInput(input);
      return this;
    }

    /** Adds a constant of zeros. */
    Model weight(int type, long... shape) {
      int bytes = type == FLOAT ? Float.BYTES : Byte.BYTES;
      bytes *= Math.toIntExact(LongStream.of(shape).reduce(1, (a, b) -> a * b));
      graph.addInitializer(
          TensorProto.newBuilder()
              .setName(next())
              .setDataType(type)
              .addAllDims(LongStream.of(shape).boxed().toList())
              .setRawData(ByteString.copyFrom(new byte[bytes])));
      return this;
    }

    Model scales(float... scales) {
      TensorProto.Builder tensor =
          TensorProto.newBuilder().setName(next()).setDataType(FLOAT).addDims(scales.length);
      for (float scale : scales) {
        tensor.addFloatData(scale);
      }
      graph.addInitializer(tensor);
      return this;
    }

    Model missing() {
      node.addInput("");
      return this;
    }

    private String next() {
      String name = "x" + node.getInputCount();
      node.addInput(name);
      return name;
    }

    ModelProto build() {
      return ModelProto.newBuilder()
          .setIrVersion(IR_VERSION)
          .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
          .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(CONTRIBUTED).setVersion(1))
          .setGraph(
              graph.clone().addNode(node).addOutput(ValueInfoProto.newBuilder().setName("result")))
          .build();
    }
  }
}
