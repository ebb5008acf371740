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
 * A model with the shapes of another model, and with its weights as inputs. It is small, needs no
 * weights in other files, and contains no large constant computation.
 */
public final class ShapeQuestion {

  /*
   * Shapes depend on shapes and on small constants, such as the new shape of a Reshape. Large
   * constants and constants without data in the file therefore become inputs:
   *
   *   - initializers of the graph and of bodies of operators, which can read outer values;
   *   - Constant nodes;
   *   - the results of ConstantOfShape, which models without weights contain.
   *
   * If an operand has the shape of a result, ONNX Runtime gives the result as many dimensions as
   * the operand has elements, even 2^40. The length of an operand with more elements than a tensor
   * can have dimensions is therefore removed.
   */

  /** The largest size of constants that shapes depend on. */
  public static final long LARGE_BYTES = 64 << 10;

  /** The largest number of dimensions of a tensor. */
  private static final int MAX_DIMENSIONS = 64;

  /** The operators that read the shape of their result, with the index of that input. */
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
   * @param model the model with the values
   * @param names the values, which become outputs
   */
  public static ModelProto of(ModelProto model, List<String> names) {
    GraphProto.Builder graph = new ShapeQuestion(model.getGraph()).build();
    names.forEach(name -> graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
    return question(model, graph);
  }

  /**
   * {@return the question for the ranks of tensors; the size of each one-dimensional output is the
   * rank, if known}
   *
   * @param model the model with the tensors
   * @param names the tensors; the outputs have the names {@link #rankOf}
   */
  public static ModelProto ofRanks(ModelProto model, List<String> names) {
    GraphProto.Builder graph = new ShapeQuestion(model.getGraph()).build();
    for (String name : names) {
      graph.addNodeBuilder().setOpType("Shape").addInput(name).addOutput(rankOf(name));
      graph.addOutput(ValueInfoProto.newBuilder().setName(rankOf(name)));
    }
    return question(model, graph);
  }

  /** {@return the name of the output for the rank of a tensor} */
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
      Optional<ValueType.Tensor> weight = constantWeight(node);
      if (weight.isPresent()) {
        addWeight(node.getOutput(0), weight.get());
      } else {
        question.addNode(withSmallBodies(node));
      }
    }
    question.clearInput();
    for (ValueInfoProto input : graph.getInputList()) {
      // In old models, weights are also inputs; the type of the data is more precise.
      ValueInfoProto weight = weights.remove(input.getName());
      question.addInput(weight == null ? input : weight);
    }
    question.addAllInput(weights.values());
    for (int i = 0; i < question.getInputCount(); i++) {
      question.setInput(i, withoutExcessiveLength(question.getInput(i)));
    }
    for (int i = 0; i < question.getValueInfoCount(); i++) {
      question.setValueInfo(i, withoutExcessiveLength(question.getValueInfo(i)));
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
    // Follows the operands back to the shapes of tensors, which are short. If the operators are not
    // in order, the loop finds fewer operands, and ONNX Runtime may take longer.
    for (int i = around.getNodeCount() - 1; i >= 0; i--) {
      NodeProto node = around.getNode(i);
      boolean isLength = node.getOpType().equals("Shape") || node.getOpType().equals("Size");
      if (!isLength && node.getOutputList().stream().anyMatch(shapeOperands::contains)) {
        shapeOperands.addAll(node.getInputList());
      }
    }
  }

  private ValueInfoProto withoutExcessiveLength(ValueInfoProto info) {
    TensorShapeProto shape = info.getType().getTensorType().getShape();
    if (!shapeOperands.contains(info.getName())
        || info.getType().getTensorType().getElemType() != ElementType.INT64.code()
        || shape.getDimCount() != 1
        || shape.getDim(0).getDimValue() <= MAX_DIMENSIONS) {
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

  /** {@return the result of a node if it is a constant that becomes an input} */
  private Optional<ValueType.Tensor> constantWeight(NodeProto node) {
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

  /** {@return an operator with bodies that read large constants as outer values} */
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
        small.addNode(outerInput(tensor.getName(), type));
      } else {
        small.addInitializer(tensor);
      }
    }
    for (SparseTensorProto tensor : body.getSparseInitializerList()) {
      small.addNode(outerInput(tensor.getValues().getName(), typeOf(tensor)));
    }
    body.getNodeList().forEach(node -> small.addNode(withSmallBodies(node)));
    return small.build();
  }

  /** {@return an operator that renames an input of the graph within a body} */
  private NodeProto outerInput(String name, ValueType.Tensor type) {
    String weight = "weight " + weights.size() + " of a body: " + name;
    addWeight(weight, type);
    return NodeProto.newBuilder().setOpType("Identity").addInput(weight).addOutput(name).build();
  }

  private void addWeight(String name, ValueType.Tensor type) {
    if (name.isEmpty()) { // no operator can read it
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
      // ONNX Runtime accepts or rejects strings and values other than tensors.
      case ValueBytes.Open open -> false;
      case ValueBytes.Unsized unsized -> false;
    };
  }

  private static ValueType.Tensor typeOf(SparseTensorProto tensor) {
    return ValueType.Tensor.of(tensor.getValues().getDataType(), tensor.getDimsList());
  }

  private static int elementCode(NodeProto constantOfShape) {
    return NodeAttributes.find(constantOfShape, "value")
        .map(attribute -> attribute.getT().getDataType())
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
