package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sizes that the user sets for open dimensions: by their names, for all uses of a name, or by
 * the position in an input, as {@code input[axis]}.
 */
public final class FixedDimensions {

  /** The number of names in a message. */
  private static final int NAMED_COUNT = 20;

  private final Map<String, Long> sizes;
  private final Set<String> used = new LinkedHashSet<>();

  private boolean isApplied;

  /** The names of the open dimensions, in the order of the file. */
  private final Set<String> open = new LinkedHashSet<>();

  /**
   * Creates sizes of dimensions.
   *
   * @param sizes the sizes by name
   */
  public FixedDimensions(Map<String, Long> sizes) {
    this.sizes = Map.copyOf(sizes);
  }

  /** {@return the model with these sizes} */
  public ModelProto applyTo(ModelProto model) {
    if (sizes.isEmpty() || !model.hasGraph()) {
      return model;
    }
    isApplied = true;
    GraphProto.Builder graph = model.getGraph().toBuilder();
    graph.getInputBuilderList().forEach(input -> fix(input, true));
    graph.getOutputBuilderList().forEach(output -> fix(output, false));
    graph.getValueInfoBuilderList().forEach(info -> fix(info, false));
    return model.toBuilder().setGraph(graph).build();
  }

  private void fix(ValueInfoProto.Builder value, boolean isInput) {
    if (!value.getType().hasTensorType() || !value.getType().getTensorType().hasShape()) {
      return;
    }
    TypeProto.Tensor.Builder type = value.getTypeBuilder().getTensorTypeBuilder();
    TensorShapeProto.Builder shape = type.getShapeBuilder();
    for (int axis = 0; axis < shape.getDimCount(); axis++) {
      Dimension dimension = shape.getDim(axis);
      if (DimensionSize.of(dimension) instanceof DimensionSize.Known) {
        continue;
      }
      List<String> names = new ArrayList<>();
      if (isInput) {
        names.add(byPlace(value.getName(), axis)); // more specific than the name
      }
      if (dimension.hasDimParam()) {
        names.add(dimension.getDimParam());
      }
      if (!names.isEmpty()) {
        open.add(names.getLast());
      }
      for (String name : names.reversed()) { // the first name wins
        Long size = sizes.get(name);
        if (size != null) {
          used.add(name);
          shape.setDim(axis, Dimension.newBuilder().setDimValue(size));
        }
      }
    }
  }

  /** {@return the name of a dimension by its position} */
  public static String byPlace(String value, int axis) {
    return value + "[" + axis + "]";
  }

  /**
   * {@return a sentence on sizes for dimensions that the model does not leave open, with the names
   * of the open ones; empty if the model has all of them, or if no model was read}
   */
  public Optional<String> misnamed() {
    List<String> unknown =
        sizes.keySet().stream().filter(name -> !used.contains(name)).sorted().toList();
    if (unknown.isEmpty() || !isApplied) {
      return Optional.empty();
    }
    String known =
        switch (open.size()) {
          case 0 -> "it has no open dimensions: omit --dim, or export the model with open ones";
          case 1 -> "its open dimension is " + list(open);
          default -> "its open dimensions are " + list(open);
        };
    return Optional.of("the model has no open dimension named " + list(unknown) + "; " + known);
  }

  private static String list(Collection<String> names) {
    String listed =
        names.stream()
            .limit(NAMED_COUNT)
            .map(MalformedFileException::excerpt)
            .collect(Collectors.joining(", "));
    return names.size() > NAMED_COUNT ? listed + ", ..." : listed;
  }

  /** {@return true if the model has an open dimension of this name} */
  public boolean isUsed(String name) {
    return used.contains(name);
  }

  /** {@return the open dimensions of the inputs, each once, in the order of the file} */
  public static List<String> openIn(ModelGraph graph) {
    Set<String> open = new LinkedHashSet<>();
    for (GraphValue value : graph.values()) {
      if (value.source() == GraphValue.Source.INPUT
          && value.type() instanceof ValueType.Tensor type
          && type.shape().isPresent()) {
        List<DimensionSize> shape = type.shape().get();
        for (int axis = 0; axis < shape.size(); axis++) {
          switch (shape.get(axis)) {
            case DimensionSize.Known known -> {}
            case DimensionSize.Named named -> open.add(named.name());
            case DimensionSize.Unnamed unnamed -> open.add(byPlace(value.name(), axis));
          }
        }
      }
    }
    return List.copyOf(open);
  }
}
