package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Rules for the shapes of operators that ONNX Runtime executes but does not infer. All shapes that
 * depend on such a shape are unknown without these rules.
 */
public final class ShapeRules {

  private ShapeRules() {}

  /**
   * {@return the types that the rules add, by the names of values}
   *
   * @param graph the graph
   * @param types the types of its values that are known so far
   */
  public static Map<String, ValueType> of(ModelGraph graph, Function<GraphValue, ValueType> types) {
    Map<String, ValueType> added = new LinkedHashMap<>();
    for (GraphNode node : graph.nodes()) {
      for (int i = 0; i < node.proto().getOutputCount(); i++) {
        Optional<GraphValue> result = graph.value(node.proto().getOutput(i));
        if (result.isPresent() && types.apply(result.get()) instanceof ValueType.Tensor open) {
          shape(graph, node, i, types)
              .filter(shape -> !open.isComplete())
              .ifPresent(shape ->
                  added.put(result.get().name(), ValueType.Tensor.of(open.elementCode(), shape)));
        }
      }
    }
    return added;
  }

  private static Optional<List<Long>> shape(
      ModelGraph graph, GraphNode node, int output, Function<GraphValue, ValueType> types) {
    if (!node.isStandard() || node.proto().getInputCount() == 0) {
      return Optional.empty();
    }
    return switch (node.proto().getOpType()) {
      case "Crop" -> input(graph, node, types).flatMap(input -> cropped(input, node));
      // The mask has the shape of the input.
      case "Dropout" -> output == 1 ? input(graph, node, types) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<List<Long>> input(
      ModelGraph graph, GraphNode node, Function<GraphValue, ValueType> types) {
    return graph
        .value(node.proto().getInput(0))
        .map(types)
        .filter(type -> type instanceof ValueType.Tensor tensor && tensor.isComplete())
        .map(type -> {
          List<Long> dimensions = new ArrayList<>();
          for (long size : ((ValueType.Tensor) type).dimensions()) {
            dimensions.add(size);
          }
          return dimensions;
        });
  }

  /** Cuts a border (left, top, right, bottom) off an image, or up to a scale (height, width). */
  private static Optional<List<Long>> cropped(List<Long> image, GraphNode node) {
    List<Long> border = NodeAttributes.integers(node.proto(), "border");
    List<Long> scale = NodeAttributes.integers(node.proto(), "scale");
    if (image.size() != 4 || border.size() != 4 || (!scale.isEmpty() && scale.size() != 2)) {
      return Optional.empty();
    }
    long height = scale.isEmpty() ? image.get(2) - border.get(1) - border.get(3) : scale.getFirst();
    long width = scale.isEmpty() ? image.get(3) - border.get(0) - border.get(2) : scale.getLast();
    return height < 0 || width < 0
        ? Optional.empty() // ONNX Runtime rejects it
        : Optional.of(List.of(image.get(0), image.get(1), height, width));
  }

  /**
   * {@return a model with more types of values}
   *
   * @param model the model
   * @param types the types, by the names of values
   */
  public static ModelProto addTypes(ModelProto model, Map<String, ValueType> types) {
    GraphProto.Builder graph = model.getGraph().toBuilder().clearValueInfo();
    model.getGraph().getValueInfoList().stream()
        .filter(info -> !types.containsKey(info.getName()))
        .forEach(graph::addValueInfo);
    types.forEach((name, type) -> {
      if (type instanceof ValueType.Tensor tensor) {
        graph.addValueInfo(tensor.infoOf(name));
      }
    });
    return model.toBuilder().setGraph(graph).build();
  }
}
