package dev.stowage.bench;

import ai.onnx.proto.OnnxMl;
import java.util.Random;

/** A small ONNX model: 3 by 3 convolutions of an image, each followed by a relu. */
final class ConvolutionModel {

  private static final int IR_VERSION = 8;
  private static final int OPERATORS_VERSION = 13;
  private static final int LAYERS = 8;
  private static final int CHANNELS = 16;
  private static final int SIDE = 64;
  private static final int KERNEL = 3;
  private static final long SEED = 1;

  private ConvolutionModel() {}

  /** {@return the bytes of the file} */
  static byte[] bytes() {
    Random random = new Random(SEED);
    OnnxMl.GraphProto.Builder graph =
        OnnxMl.GraphProto.newBuilder()
            .setName("convolutions")
            .addInput(image("image"))
            .addOutput(image("relu" + (LAYERS - 1)));
    String last = "image";
    for (int layer = 0; layer < LAYERS; layer++) {
      graph.addInitializer(weights("weights" + layer, random));
      graph.addNode(convolution(layer, last));
      last = "relu" + layer;
      graph.addNode(
          OnnxMl.NodeProto.newBuilder()
              .setOpType("Relu")
              .addInput("convolution" + layer)
              .addOutput(last));
    }
    return OnnxMl.ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OnnxMl.OperatorSetIdProto.newBuilder().setVersion(OPERATORS_VERSION))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  private static OnnxMl.NodeProto convolution(int layer, String input) {
    OnnxMl.AttributeProto.Builder pads =
        OnnxMl.AttributeProto.newBuilder()
            .setName("pads")
            .setType(OnnxMl.AttributeProto.AttributeType.INTS);
    for (int side = 0; side < 4; side++) {
      pads.addInts(KERNEL / 2);
    }
    return OnnxMl.NodeProto.newBuilder()
        .setOpType("Conv")
        .addInput(input)
        .addInput("weights" + layer)
        .addOutput("convolution" + layer)
        .addAttribute(pads)
        .build();
  }

  private static OnnxMl.TensorProto weights(String name, Random random) {
    OnnxMl.TensorProto.Builder weights =
        OnnxMl.TensorProto.newBuilder()
            .setName(name)
            .setDataType(OnnxMl.TensorProto.DataType.FLOAT.getNumber())
            .addDims(CHANNELS)
            .addDims(CHANNELS)
            .addDims(KERNEL)
            .addDims(KERNEL);
    for (int index = 0; index < CHANNELS * CHANNELS * KERNEL * KERNEL; index++) {
      weights.addFloatData((float) random.nextGaussian() / CHANNELS);
    }
    return weights.build();
  }

  private static OnnxMl.ValueInfoProto image(String name) {
    OnnxMl.TensorShapeProto.Builder shape = OnnxMl.TensorShapeProto.newBuilder();
    for (int size : new int[] {1, CHANNELS, SIDE, SIDE}) {
      shape.addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(size));
    }
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
