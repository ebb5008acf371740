package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A model that has the shapes of another, whose weights are inputs: it is small whatever the
 * weights, needs none that lie in other files, and leaves nothing large to compute.
 */
public final class ShapeQuestion {

  /*
   * Shapes follow from shapes, and from small constants such as the new shape of a Reshape. So
   * large constants, and those without data in the file, become inputs: initializers, and what a
   * ConstantOfShape makes of one, as models without weights have it.
   */

  /** What a constant that a shape depends on never has. */
  private static final long LARGE_BYTES = 64 << 10;

  private static final String RANK_SUFFIX = "/its rank is asked for";

  private final GraphProto graph;
  private final Set<String> inputs = new HashSet<>();
  private final List<ValueInfoProto> added = new ArrayList<>();
  private final Map<String, TensorProto> kept = new HashMap<>();

  private ShapeQuestion(GraphProto graph) {
    this.graph = graph;
    graph.getInputList().forEach(input -> inputs.add(input.getName()));
  }

  /**
   * {@return the question for the shapes of values}
   *
   * @param model the model that has them
   * @param names the values, which become its outputs
   */
  public static ModelProto of(ModelProto model, List<String> names) {
    GraphProto graph = new ShapeQuestion(model.getGraph()).build(names);
    return model.toBuilder().setGraph(graph).build();
  }

  /**
   * {@return the question for the ranks of values: an output for each, of one dimension, whose size
   * is the rank}
   *
   * @param model the model that has them
   * @param names the values
   */
  public static ModelProto ofRanks(ModelProto model, List<String> names) {
    GraphProto.Builder ranks = model.getGraph().toBuilder();
    List<String> outputs = new ArrayList<>();
    for (String name : names) {
      outputs.add(name + RANK_SUFFIX);
      ranks.addNode(
          NodeProto.newBuilder().setOpType("Shape").addInput(name).addOutput(name + RANK_SUFFIX));
    }
    return of(model.toBuilder().setGraph(ranks).build(), outputs);
  }

  /** {@return the value that an output of a question for ranks is about} */
  public static String valueOfRank(String output) {
    return output.substring(0, output.length() - RANK_SUFFIX.length());
  }

  private GraphProto build(List<String> names) {
    GraphProto.Builder question = graph.toBuilder();
    question.clearInitializer();
    for (TensorProto tensor : graph.getInitializerList()) {
      if (isLarge(tensor.getDataType(), tensor.getDimsList()) || isElsewhere(tensor)) {
        addInput(tensor.getName(), tensor.getDataType(), tensor.getDimsList());
      } else {
        kept.put(tensor.getName(), tensor);
        question.addInitializer(tensor);
      }
    }
    question.clearNode();
    for (NodeProto node : graph.getNodeList()) {
      Optional<List<Long>> shape = largeConstantShape(node);
      if (shape.isPresent()) {
        addInput(node.getOutput(0), elementCode(node), shape.get());
      } else {
        question.addNode(node);
      }
    }
    question.addAllInput(added);
    question.clearOutput();
    for (String name : names) {
      question.addOutput(ValueInfoProto.newBuilder().setName(name));
    }
    return question.build();
  }

  private void addInput(String name, int elementCode, List<Long> dimensions) {
    if (!inputs.add(name)) { // initializers used to be inputs, too
      return;
    }
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    dimensions.forEach(size -> shape.addDimBuilder().setDimValue(size));
    added.add(
        ValueInfoProto.newBuilder()
            .setName(name)
            .setType(
                TypeProto.newBuilder()
                    .setTensorType(
                        TypeProto.Tensor.newBuilder().setElemType(elementCode).setShape(shape)))
            .build());
  }

  private static boolean isElsewhere(TensorProto tensor) {
    return tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL;
  }

  private static boolean isLarge(int elementCode, List<Long> dimensions) {
    ValueType type =
        new ValueType.Tensor(
            elementCode,
            Optional.of(dimensions.stream().<DimensionSize>map(DimensionSize.Known::new).toList()));
    // What is too large to be counted, or holds negative dimensions, is for the engine to refuse.
    return dimensions.stream().allMatch(size -> size >= 0)
        && ValueBytes.of(type) instanceof ValueBytes.Known(long bytes)
        && bytes > LARGE_BYTES;
  }

  /** {@return the shape that a ConstantOfShape has from an initializer, if its result is large} */
  private Optional<List<Long>> largeConstantShape(NodeProto node) {
    boolean isConstant =
        node.getOpType().equals("ConstantOfShape")
            && node.getDomain().isEmpty()
            && node.getInputCount() == 1
            && node.getOutputCount() == 1;
    if (!isConstant) {
      return Optional.empty();
    }
    return Optional.ofNullable(kept.get(node.getInput(0)))
        .map(ShapeQuestion::integers)
        .filter(dimensions -> isLarge(elementCode(node), dimensions));
  }

  private static int elementCode(NodeProto constantOfShape) {
    return constantOfShape.getAttributeList().stream()
        .filter(attribute -> attribute.getName().equals("value"))
        .map(attribute -> attribute.getT().getDataType())
        .findFirst()
        .orElse(ElementType.FLOAT.code());
  }

  private static List<Long> integers(TensorProto tensor) {
    if (tensor.getDataType() != ElementType.INT64.code()) {
      return List.of();
    }
    if (!tensor.hasRawData()) {
      return tensor.getInt64DataList();
    }
    ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    List<Long> values = new ArrayList<>();
    while (raw.remaining() >= Long.BYTES) {
      values.add(raw.getLong());
    }
    return values;
  }
}
