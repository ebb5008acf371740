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
import java.util.Arrays;

/**
 * A model whose weights a session changes in all ways: two convolutions, the first of which absorbs
 * a normalization, and a matrix.
 */
final class CreationModel {

  private static final long IR_VERSION = 8;
  private static final long OPERATORS_VERSION = 17;
  private static final long[] FIRST = {128, 64, 3, 3};
  private static final long[] SECOND = {256, 128, 3, 3};
  private static final long[] MATRIX = {256, 1024};

  private CreationModel() {}

  /** {@return the model of the file} */
  static ModelProto model() {
    GraphProto.Builder graph =
        original().toBuilder()
            .setName("creation")
            .addInput(value("x", 1, 64, 16, 16))
            .addOutput(value("y", 1, MATRIX[1]));
    return ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
        .setGraph(graph)
        .build();
  }

  /** {@return the graph of the file} */
  static GraphProto original() {
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .addNode(node("Conv", "a", "x", "first"))
            .addNode(node("BatchNormalization", "b", "a", "scale", "shift", "mean", "variance"))
            .addNode(node("Relu", "c", "b"))
            .addNode(node("Conv", "d", "c", "second"))
            .addNode(node("GlobalAveragePool", "e", "d"))
            .addNode(node("Flatten", "f", "e"))
            .addNode(node("MatMul", "y", "f", "matrix"))
            .addInitializer(weight("first", FIRST))
            .addInitializer(weight("second", SECOND))
            .addInitializer(weight("matrix", MATRIX));
    for (String name : new String[] {"scale", "shift", "mean", "variance"}) {
      graph.addInitializer(weight(name, FIRST[0]));
    }
    return graph.build();
  }

  /** {@return the graph that sessions run on x86-64} */
  static GraphProto optimized() {
    return GraphProto.newBuilder()
        .addNode(blocked("p", "x", "reorder", "reorder_token_0"))
        .addNode(blocked("q", "p", "reorder_token_1"))
        .addNode(node("Flatten", "f", "q"))
        .addNode(node("MatMul", "y", "f", "matrix"))
        .addInitializer(weight("reorder", FIRST))
        .addInitializer(weight("reorder_token_0", FIRST[0]))
        .addInitializer(weight("reorder_token_1", SECOND))
        .addInitializer(weight("matrix", MATRIX))
        .build();
  }

  private static NodeProto blocked(String output, String... inputs) {
    return node("Conv", output, inputs).toBuilder().setDomain("com.microsoft.nchwc").build();
  }

  private static NodeProto node(String operator, String output, String... inputs) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName(output)
            .setOpType(operator)
            .addOutput(output)
            .addAllInput(Arrays.asList(inputs));
    if (operator.equals("Conv")) {
      AttributeProto.Builder pads =
          AttributeProto.newBuilder().setName("pads").setType(AttributeProto.AttributeType.INTS);
      node.addAttribute(pads.addInts(1).addInts(1).addInts(1).addInts(1));
    }
    return node.build();
  }

  private static TensorProto weight(String name, long... shape) {
    TensorProto.Builder weight =
        TensorProto.newBuilder().setName(name).setDataType(DataType.FLOAT_VALUE);
    long elements = 1;
    for (long size : shape) {
      weight.addDims(size);
      elements *= size;
    }
    byte[] data = new byte[Math.toIntExact(elements * Float.BYTES)];
    Arrays.fill(data, (byte) 0x3c); // about 0.01
    return weight.setRawData(ByteString.copyFrom(data)).build();
  }

  private static ValueInfoProto value(String name, long... shape) {
    ValueInfoProto.Builder value = ValueInfoProto.newBuilder().setName(name);
    var tensor = value.getTypeBuilder().getTensorTypeBuilder().setElemType(DataType.FLOAT_VALUE);
    for (long size : shape) {
      tensor.getShapeBuilder().addDimBuilder().setDimValue(size);
    }
    return value.build();
  }
}
