package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Models that round their results in half precision as the file requires.
 *
 * <p>If ONNX Runtime has no kernel in half precision, it computes in single precision and inserts
 * casts before and after. Even without optimizations, it removes the two casts between such
 * operators, so that the value between them is not rounded and does not fit into the planned
 * memory. An {@code Identity}, which has kernels for all types, separates the casts. A second one
 * is needed because ONNX Runtime also computes a single operator between half-precision operators
 * in single precision.
 */
public final class HalfPrecisionRounding {

  private static final int HALF = ElementType.FLOAT16.code();

  private final ModelGraph graph;
  private final PlannedValues planned;
  private final Set<String> names = new HashSet<>();

  private HalfPrecisionRounding(ModelGraph graph, PlannedValues planned) {
    this.graph = graph;
    this.planned = planned;
    graph.values().forEach(value -> names.add(value.name()));
  }

  /**
   * {@return the model of a graph with its results rounded, or empty if none is in half precision}
   *
   * @param graph the graph
   * @param planned the types of its values
   */
  public static Optional<ModelProto> in(ModelGraph graph, PlannedValues planned) {
    HalfPrecisionRounding rounding = new HalfPrecisionRounding(graph, planned);
    return graph.values().stream().anyMatch(value -> rounding.elementsOf(value) == HALF)
        ? Optional.of(rounding.model())
        : Optional.empty();
  }

  /** {@return the element type of a value, or {@link ElementType#UNDEFINED_CODE}} */
  private int elementsOf(GraphValue value) {
    return planned.type(value) instanceof ValueType.Tensor tensor
        ? tensor.elementCode()
        : ElementType.UNDEFINED_CODE;
  }

  private boolean isRounded(GraphValue value) {
    // Values of unknown type may be in half precision; an Identity does not change others.
    return value.lastTask() > value.firstTask() // some operator reads it
        && !(planned.type(value) instanceof ValueType.Other)
        && (elementsOf(value) == HALF || elementsOf(value) == ElementType.UNDEFINED_CODE);
  }

  private ModelProto model() {
    GraphProto.Builder rounded = graph.model().getGraph().toBuilder().clearNode();
    for (NodeProto proto : graph.model().getGraph().getNodeList()) {
      NodeProto.Builder node = rounded.addNodeBuilder().mergeFrom(proto);
      for (int i = 0; i < proto.getOutputCount(); i++) {
        String name = proto.getOutput(i);
        if (graph.value(name).filter(this::isRounded).isPresent()) {
          String made = unusedName(name);
          String again = unusedName(name);
          node.setOutput(i, made);
          rounded.addNode(identity(made, again)).addNode(identity(again, name));
        }
      }
    }
    return graph.model().toBuilder().setGraph(rounded).build();
  }

  private static NodeProto identity(String from, String to) {
    return NodeProto.newBuilder().setOpType("Identity").addInput(from).addOutput(to).build();
  }

  private String unusedName(String name) {
    String unused = name + "/unrounded";
    while (!names.add(unused)) {
      unused += "'";
    }
    return unused;
  }
}
