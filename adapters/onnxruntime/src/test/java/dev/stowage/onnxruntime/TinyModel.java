package dev.stowage.onnxruntime;

import ai.onnx.proto.OnnxMl;
import java.util.Random;

/** A chain of layers: y = relu(x · w0) · w1 …, for any number of rows of x. */
final class TinyModel {

  static final int COLUMNS = 64;
  static final int MEBIBYTE_ROWS = 256;
  static final int MEBIBYTE_COLUMNS = 1024;

  private static final int IR_VERSION = 8;
  private static final int OPERATORS_VERSION = 13;
  private static final long SEED = 4711;

  private TinyModel() {}

  /** {@return the file of the model y = relu(x), whose session holds no memory} */
  static byte[] withoutWeights() {
    return model(
        OnnxMl.GraphProto.newBuilder()
            .setName("tiny")
            .addInput(rows("x"))
            .addOutput(rows("y"))
            .addNode(node("Relu", "y", "x")));
  }

  /**
   * {@return the file of a model y = relu(relu(x · w0) · w1) …, element by element, whose tensors
   * have 1 MiB each}
   *
   * <p>ONNX Runtime rearranges matrices for the processor. These weights are not matrices, so that
   * they take the same memory on all machines.
   */
  static byte[] ofMebibytes(int layers) {
    Random random = new Random(SEED);
    long[] shape = {MEBIBYTE_ROWS, MEBIBYTE_COLUMNS};
    OnnxMl.GraphProto.Builder graph =
        OnnxMl.GraphProto.newBuilder()
            .setName("tiny")
            .addInput(value("x", MEBIBYTE_COLUMNS))
            .addOutput(value("relu" + (layers - 1), MEBIBYTE_COLUMNS));
    String last = "x";
    for (int layer = 0; layer < layers; layer++) {
      graph.addInitializer(weights("w" + layer, random, shape));
      graph.addNode(node("Mul", "product" + layer, last, "w" + layer));
      last = "relu" + layer;
      graph.addNode(node("Relu", last, "product" + layer));
    }
    return model(graph);
  }

  /** {@return the file of a model with the input {@code x} and the output {@code y}} */
  static byte[] withLayers(int layers) {
    Random random = new Random(SEED);
    OnnxMl.GraphProto.Builder graph =
        OnnxMl.GraphProto.newBuilder().setName("tiny").addInput(rows("x")).addOutput(rows("y"));
    String last = "x";
    for (int layer = 0; layer < layers; layer++) {
      String product = layer == layers - 1 ? "y" : "product" + layer;
      graph.addInitializer(weights("w" + layer, random, COLUMNS, COLUMNS));
      graph.addNode(node("MatMul", product, last, "w" + layer));
      last = product;
      if (layer < layers - 1) {
        last = "relu" + layer;
        graph.addNode(node("Relu", last, product));
      }
    }
    return model(graph);
  }

  private static byte[] model(OnnxMl.GraphProto.Builder graph) {
    return OnnxMl.ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(
            OnnxMl.OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPERATORS_VERSION))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  private static OnnxMl.NodeProto node(String operator, String output, String... inputs) {
    OnnxMl.NodeProto.Builder node =
        OnnxMl.NodeProto.newBuilder().setOpType(operator).setName(output).addOutput(output);
    for (String input : inputs) {
      node.addInput(input);
    }
    return node.build();
  }

  private static OnnxMl.TensorProto weights(String name, Random random, long... shape) {
    OnnxMl.TensorProto.Builder weights =
        OnnxMl.TensorProto.newBuilder()
            .setName(name)
            .setDataType(OnnxMl.TensorProto.DataType.FLOAT.getNumber());
    long count = 1;
    for (long size : shape) {
      weights.addDims(size);
      count *= size;
    }
    for (int index = 0; index < count; index++) {
      weights.addFloatData((float) random.nextGaussian() / COLUMNS);
    }
    return weights.build();
  }

  private static OnnxMl.ValueInfoProto rows(String name) {
    return value(name, COLUMNS);
  }

  private static OnnxMl.ValueInfoProto value(String name, long columns) {
    OnnxMl.TensorShapeProto.Builder shape =
        OnnxMl.TensorShapeProto.newBuilder()
            .addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimParam("rows"))
            .addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(columns));
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
