package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
   * large constants, and those without data in the file, become inputs:
   *
   *   - initializers, also those of the bodies of operators, which may read what is around them;
   *   - Constant nodes;
   *   - what a ConstantOfShape makes of a small constant, as models without weights have it.
   *
   * Where an operator reads the shape of its result, the engine gives the result as many dimensions
   * as that operand has elements, be it 2^40. So operands that claim more than any tensor has
   * dimensions are told of without their length.
   */

  /** Constants that shapes depend on have no more. */
  public static final long LARGE_BYTES = 64 << 10;

  /** No tensor has more dimensions. */
  private static final int MOST_DIMENSIONS = 64;

  /** Operators that read the shape of their result, and from which of their inputs. */
  private static final Map<String, Integer> SHAPE_INPUTS =
      Map.of("ConstantOfShape", 0, "Expand", 1, "Reshape", 1);

  private final GraphProto graph;

  private final Map<String, ValueInfoProto> weights = new LinkedHashMap<>();
  private final Map<String, TensorProto> kept = new HashMap<>();
  private final Set<String> shapeOperands = new HashSet<>();

  private ShapeQuestion(GraphProto graph) {
    this.graph = graph;
    addShapeOperands(graph);
  }

  /**
   * {@return the question for the shapes of values}
   *
   * @param model the model that has them
   * @param names the values, which become its outputs
   */
  public static ModelProto of(ModelProto model, List<String> names) {
    GraphProto.Builder graph = new ShapeQuestion(model.getGraph()).build();
    names.forEach(name -> graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
    return question(model, graph);
  }

  /**
   * {@return the question for the ranks of tensors: its outputs have one dimension each, which is
   * the rank where that is known}
   *
   * @param model the model that has the tensors
   * @param names the tensors; their ranks are named {@link #rankOf}
   */
  public static ModelProto ofRanks(ModelProto model, List<String> names) {
    GraphProto.Builder graph = new ShapeQuestion(model.getGraph()).build();
    for (String name : names) {
      graph.addNodeBuilder().setOpType("Shape").addInput(name).addOutput(rankOf(name));
      graph.addOutput(ValueInfoProto.newBuilder().setName(rankOf(name)));
    }
    return question(model, graph);
  }

  /** {@return how a question for ranks names that of a tensor} */
  public static String rankOf(String name) {
    return "rank of " + name;
  }

  private static ModelProto question(ModelProto model, GraphProto.Builder graph) {
    return model.toBuilder().setGraph(graph).clearTrainingInfo().clearMetadataProps().build();
  }

  private GraphProto.Builder build() {
    GraphProto.Builder question = graph.toBuilder();
    question.clearInitializer().clearSparseInitializer().clearQuantizationAnnotation();
    addInitializers(question);
    question.clearNode();
    for (NodeProto node : graph.getNodeList()) {
      Optional<ValueType.Tensor> weight = weightMadeBy(node);
      if (weight.isPresent()) {
        addWeight(node.getOutput(0), weight.get());
      } else {
        question.addNode(withSmallBodies(node));
      }
    }
    question.clearInput();
    for (ValueInfoProto input : graph.getInputList()) {
      // Weights used to be inputs, too; what they are says more than what they are declared as.
      ValueInfoProto weight = weights.remove(input.getName());
      question.addInput(weight == null ? input : weight);
    }
    question.addAllInput(weights.values());
    for (int i = 0; i < question.getInputCount(); i++) {
      question.setInput(i, withoutAbsurdLength(question.getInput(i)));
    }
    for (int i = 0; i < question.getValueInfoCount(); i++) {
      question.setValueInfo(i, withoutAbsurdLength(question.getValueInfo(i)));
    }
    return question.clearOutput();
  }

  private void addShapeOperands(GraphProto around) {
    for (NodeProto node : around.getNodeList()) {
      int place = SHAPE_INPUTS.getOrDefault(node.getOpType(), Integer.MAX_VALUE);
      if (place < node.getInputCount()) {
        shapeOperands.add(node.getInput(place));
      }
      for (AttributeProto attribute : node.getAttributeList()) {
        addShapeOperands(attribute.getG());
        attribute.getGraphsList().forEach(this::addShapeOperands);
      }
    }
    // What they are computed from, back to the shapes of tensors: those are short. In a file out of
    // order this finds less, and the engine may take longer.
    for (int i = around.getNodeCount() - 1; i >= 0; i--) {
      NodeProto node = around.getNode(i);
      boolean isLength = node.getOpType().equals("Shape") || node.getOpType().equals("Size");
      if (!isLength && node.getOutputList().stream().anyMatch(shapeOperands::contains)) {
        shapeOperands.addAll(node.getInputList());
      }
    }
  }

  private ValueInfoProto withoutAbsurdLength(ValueInfoProto info) {
    TensorShapeProto shape = info.getType().getTensorType().getShape();
    if (!shapeOperands.contains(info.getName())
        || info.getType().getTensorType().getElemType() != ElementType.INT64.code()
        || shape.getDimCount() != 1
        || shape.getDim(0).getDimValue() <= MOST_DIMENSIONS) {
      return info;
    }
    ValueInfoProto.Builder open = info.toBuilder();
    open.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder().getDimBuilder(0).clear();
    return open.build();
  }

  private void addInitializers(GraphProto.Builder question) {
    for (TensorProto tensor : graph.getInitializerList()) {
      ValueType.Tensor type = ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList());
      if (isWeight(tensor, type)) {
        addWeight(tensor.getName(), type);
      } else {
        kept.put(tensor.getName(), tensor);
        question.addInitializer(tensor);
      }
    }
    for (SparseTensorProto tensor : graph.getSparseInitializerList()) {
      addWeight(tensor.getValues().getName(), typeOf(tensor));
    }
  }

  /** {@return what a node makes, if that is a constant that becomes an input} */
  private Optional<ValueType.Tensor> weightMadeBy(NodeProto node) {
    if (node.getOutputCount() != 1 || node.getOutput(0).isEmpty()) {
      return Optional.empty();
    }
    if (GraphNode.isConstant(node)) {
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasSparseTensor()) {
          return Optional.of(typeOf(attribute.getSparseTensor()));
        }
        if (attribute.hasT()) {
          TensorProto tensor = attribute.getT();
          ValueType.Tensor type = ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList());
          kept.put(node.getOutput(0), tensor);
          return Optional.of(type).filter(constant -> isWeight(tensor, constant));
        }
      }
      return Optional.empty();
    }
    boolean isFilled =
        node.getOpType().equals("ConstantOfShape")
            && node.getDomain().isEmpty()
            && node.getInputCount() == 1;
    return isFilled
        ? Optional.ofNullable(kept.get(node.getInput(0)))
            .map(shape -> ValueType.Tensor.of(elementCode(node), integers(shape)))
            .filter(ShapeQuestion::isLarge)
        : Optional.empty();
  }

  /** {@return an operator, the large constants of whose bodies are read from around it} */
  private NodeProto withSmallBodies(NodeProto node) {
    if (node.getAttributeList().stream().noneMatch(ShapeQuestion::hasBody)) {
      return node;
    }
    NodeProto.Builder small = node.toBuilder();
    for (AttributeProto.Builder attribute : small.getAttributeBuilderList()) {
      if (attribute.hasG()) {
        attribute.setG(smallBody(attribute.getG()));
      }
      for (int i = 0; i < attribute.getGraphsCount(); i++) {
        attribute.setGraphs(i, smallBody(attribute.getGraphs(i)));
      }
    }
    return small.build();
  }

  private static boolean hasBody(AttributeProto attribute) {
    return attribute.hasG() || attribute.getGraphsCount() > 0;
  }

  private GraphProto smallBody(GraphProto body) {
    GraphProto.Builder small = body.toBuilder();
    small.clearInitializer().clearSparseInitializer().clearNode();
    for (TensorProto tensor : body.getInitializerList()) {
      ValueType.Tensor type = ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList());
      if (isWeight(tensor, type)) {
        small.addNode(readFromAround(tensor.getName(), type));
      } else {
        small.addInitializer(tensor);
      }
    }
    for (SparseTensorProto tensor : body.getSparseInitializerList()) {
      small.addNode(readFromAround(tensor.getValues().getName(), typeOf(tensor)));
    }
    body.getNodeList().forEach(node -> small.addNode(withSmallBodies(node)));
    return small.build();
  }

  /** {@return an operator that gives an input of the graph a name within a body} */
  private NodeProto readFromAround(String name, ValueType.Tensor type) {
    String weight = "weight " + weights.size() + " of a body: " + name;
    addWeight(weight, type);
    return NodeProto.newBuilder().setOpType("Identity").addInput(weight).addOutput(name).build();
  }

  private void addWeight(String name, ValueType.Tensor type) {
    if (name.isEmpty()) { // which nothing can read
      return;
    }
    weights.put(name, type.infoOf(name));
  }

  private static boolean isWeight(TensorProto tensor, ValueType.Tensor type) {
    return tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL || isLarge(type);
  }

  private static boolean isLarge(ValueType.Tensor type) {
    return switch (ValueBytes.of(type)) {
      case ValueBytes.Known(long bytes) -> bytes > LARGE_BYTES;
      case ValueBytes.TooLarge tooLarge -> true;
      // Texts, and what is no tensor at all, are for the engine to take or to refuse.
      case ValueBytes.Open open -> false;
      case ValueBytes.Unsized unsized -> false;
    };
  }

  private static ValueType.Tensor typeOf(SparseTensorProto tensor) {
    return ValueType.Tensor.of(tensor.getValues().getDataType(), tensor.getDimsList());
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
