package dev.stowage.bench;

import ai.onnx.proto.OnnxMl;
import java.util.Random;

/** An ONNX model of a sequence of any length: layers of attention, as in a transformer. */
final class AttentionModel {

  /** The name of the open dimension. */
  static final String DIMENSION = "length";

  private static final String INPUT = "x";

  private static final int IR_VERSION = 8;
  private static final int OPERATORS_VERSION = 13;
  private static final int LAYERS = 2;
  private static final long SEED = 1;

  private final OnnxMl.GraphProto.Builder graph = OnnxMl.GraphProto.newBuilder();
  private final Random random = new Random(SEED);
  private final int width;

  private AttentionModel(int width) {
    this.width = width;
  }

  /**
   * {@return the bytes of the file}
   *
   * @param width the number of values of each element of the sequence
   */
  static byte[] bytes(int width) {
    return new AttentionModel(width).build();
  }

  private byte[] build() {
    graph.setName("sequence").addInput(sequence(INPUT));
    String last = INPUT;
    for (int layer = 0; layer < LAYERS; layer++) {
      last = attention(layer, last);
    }
    graph.addOutput(sequence(last));
    return OnnxMl.ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OnnxMl.OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  /** Adds y = relu(softmax(q · transposed k) · v), and {@return the name of y} */
  private String attention(int layer, String input) {
    String query = product("q" + layer, input);
    String key = product("k" + layer, input);
    String value = product("v" + layer, input);
    add("Transpose", "t" + layer, key);
    add("MatMul", "scores" + layer, query, "t" + layer);
    add("Softmax", "weights" + layer, "scores" + layer);
    add("MatMul", "mixed" + layer, "weights" + layer, value);
    return add("Relu", "y" + layer, "mixed" + layer);
  }

  private String product(String name, String input) {
    graph.addInitializer(matrix("w" + name));
    return add("MatMul", name, input, "w" + name);
  }

  private String add(String operator, String output, String... inputs) {
    OnnxMl.NodeProto.Builder node =
        OnnxMl.NodeProto.newBuilder().setOpType(operator).setName(output).addOutput(output);
    for (String input : inputs) {
      node.addInput(input);
    }
    graph.addNode(node);
    return output;
  }

  private OnnxMl.TensorProto matrix(String name) {
    OnnxMl.TensorProto.Builder weights =
        OnnxMl.TensorProto.newBuilder()
            .setName(name)
            .setDataType(OnnxMl.TensorProto.DataType.FLOAT.getNumber())
            .addDims(width)
            .addDims(width);
    for (int index = 0; index < width * width; index++) {
      weights.addFloatData((float) random.nextGaussian() / width);
    }
    return weights.build();
  }

  private OnnxMl.ValueInfoProto sequence(String name) {
    OnnxMl.TensorShapeProto.Builder shape =
        OnnxMl.TensorShapeProto.newBuilder()
            .addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimParam(DIMENSION))
            .addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(width));
    OnnxMl.TypeProto.Tensor.Builder tensor =
        OnnxMl.TypeProto.Tensor.newBuilder()
            .setElemType(OnnxMl.TensorProto.DataType.FLOAT.getNumber())
            .setShape(shape);
    return OnnxMl.ValueInfoProto.newBuilder()
        .setName(name)
        .setType(OnnxMl.TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }
}
