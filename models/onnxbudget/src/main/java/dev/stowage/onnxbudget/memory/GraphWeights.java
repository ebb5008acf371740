package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The weights of a graph that are large enough to count, by their names. */
final class GraphWeights {

  /** The smallest weight that counts. */
  private static final long LEAST_BYTES = 1024;

  /** The operators that a convolution absorbs, with changed weights. */
  private static final Set<String> FUSED = Set.of("BatchNormalization", "Mul");

  private GraphWeights() {}

  /** {@return the sizes of the weights of a graph and its bodies by their names} */
  static Map<String, Long> of(GraphProto graph) {
    Map<String, Long> weights = new LinkedHashMap<>();
    addWeights(graph, weights);
    return weights;
  }

  /** {@return the sizes of the weights of the bodies of a graph} */
  static Map<String, Long> ofBodies(GraphProto graph) {
    Map<String, Long> weights = new LinkedHashMap<>();
    graph.getNodeList().forEach(node -> addBodies(node, weights));
    return weights;
  }

  /** {@return the number of operators that change the weight of each convolution of a graph} */
  static Map<NodeProto, Integer> fusions(GraphProto graph, Map<String, Long> weights) {
    Map<String, Integer> readers = new HashMap<>();
    Map<String, NodeProto> absorbed = new HashMap<>();
    for (NodeProto node : graph.getNodeList()) {
      for (String input : node.getInputList()) {
        readers.merge(input, 1, Integer::sum);
        if (FUSED.contains(node.getOpType())) {
          absorbed.put(input, node);
        }
      }
    }
    Map<NodeProto, Integer> fusions = new LinkedHashMap<>();
    for (NodeProto node : graph.getNodeList()) {
      boolean isConvolution = node.getOpType().equals("Conv") && node.getInputCount() > 1;
      if (isConvolution && weights.containsKey(node.getInput(1))) {
        NodeProto next = absorbed.get(node.getOutput(0));
        int count = 0;
        while (next != null) {
          count++;
          String result = next.getOutput(0);
          next = readers.getOrDefault(result, 0) == 1 ? absorbed.get(result) : null;
        }
        if (count > 0) {
          fusions.put(node, count);
        }
      }
    }
    return fusions;
  }

  /**
   * {@return the tensors that the graph fills with a constant, by their names in the order of use}
   *
   * <p>Each has the type, the shape and, as its data, one element.
   */
  static Map<String, TensorProto> filled(GraphProto graph, Map<String, Long> weights) {
    Map<String, TensorProto> shapes = new HashMap<>();
    graph.getInitializerList().forEach(tensor -> shapes.put(tensor.getName(), tensor));
    Map<String, TensorProto> tensorsByName = new HashMap<>();
    Map<String, TensorProto> filled = new LinkedHashMap<>();
    for (NodeProto node : graph.getNodeList()) {
      if (node.getOpType().equals("ConstantOfShape")) {
        TensorProto shape = shapes.get(node.getInput(0));
        if (shape != null) {
          tensorsByName.put(node.getOutput(0), filled(node, shape));
        }
      }
      for (String input : node.getInputList()) {
        TensorProto tensor = tensorsByName.get(input);
        if (tensor != null && !weights.containsKey(input)) {
          filled.put(input, tensor);
        }
      }
    }
    return filled;
  }

  private static TensorProto filled(NodeProto node, TensorProto shape) {
    return node.getAttributeList().stream()
        .filter(AttributeProto::hasT)
        .map(attribute -> attribute.getT().toBuilder())
        .findFirst()
        .orElseGet(() -> TensorProto.newBuilder().setDataType(ElementType.FLOAT.code()))
        .clearName()
        .clearDims()
        .addAllDims(integers(shape))
        .build();
  }

  private static List<Long> integers(TensorProto tensor) {
    if (!tensor.hasRawData()) {
      return tensor.getInt64DataList();
    }
    LongBuffer values =
        tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    List<Long> integers = new ArrayList<>();
    while (values.hasRemaining()) {
      integers.add(values.get());
    }
    return integers;
  }

  private static void addBodies(NodeProto node, Map<String, Long> weights) {
    node.getAttributeList().stream()
        .filter(AttributeProto::hasG)
        .forEach(attribute -> addWeights(attribute.getG(), weights));
  }

  private static void addWeights(GraphProto graph, Map<String, Long> weights) {
    for (NodeProto node : graph.getNodeList()) {
      addBodies(node, weights);
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasT() && node.getOpType().equals("Constant")) {
          add(node.getOutput(0), attribute.getT(), weights);
        }
      }
    }
    graph.getInitializerList().forEach(tensor -> add(tensor.getName(), tensor, weights));
  }

  /** Adds the size of a weight, unless it is too small to count. */
  static void add(String name, TensorProto tensor, Map<String, Long> weights) {
    ValueType type = ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList());
    if (ValueBytes.of(type) instanceof ValueBytes.Known(long bytes) && bytes >= LEAST_BYTES) {
      weights.put(name, bytes);
    }
  }
}
