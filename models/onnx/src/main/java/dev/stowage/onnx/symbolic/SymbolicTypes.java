package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.ShapeProver;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The shapes of all values of a graph, as expressions of its open dimensions. */
public final class SymbolicTypes {

  /*
   * A dimension has up to three sources. A rule takes precedence: it knows the expression. The file
   * and ONNX Runtime know numbers and names, also of operators without a rule:
   *
   *   rule          2*seq     size of NonZero    (none)
   *   file          (none)    (none)             batch
   *   ONNX Runtime  (none)    12                 (none)
   *   result        2*seq     12                 batch
   */

  /** The assumed largest value of dimensions without a range. */
  private static final long MAX_OPEN = 1L << 20;

  private static final int VERSION_OF_OVERRIDABLE_INITIALIZERS = 4;

  private final ModelGraph graph;
  private final Map<String, ValueType> inferred;
  private final DimensionRanges ranges;
  private final Sizing sizing;
  private final GraphShapes shapes;

  private SymbolicTypes(ModelGraph graph, DimensionRanges ranges, Map<String, ValueType> inferred) {
    this.graph = graph;
    this.inferred = inferred;
    this.ranges = ranges;
    this.sizing = new Sizing(withOpen(graph, ranges));
    this.shapes = new GraphShapes(ModelScope.of(graph.model(), sizing), Optional.empty());
  }

  /**
   * {@return the types of the values of a graph}
   *
   * @param graph the graph
   * @param ranges the ranges of open dimensions
   * @param inferred types that the file lacks, by the names of values
   */
  public static SymbolicTypes of(
      ModelGraph graph, DimensionRanges ranges, Map<String, ValueType> inferred) {
    SymbolicTypes types = new SymbolicTypes(graph, ranges, Map.copyOf(inferred));
    types.addSources();
    for (GraphNode node : graph.nodes()) {
      types.shapes.apply(node.proto(), node.toString());
      for (int index : node.writes()) {
        types.complete(graph.values().get(index));
      }
    }
    return types;
  }

  /** {@return the ranges, with assumed ranges for the other open dimensions} */
  private static DimensionRanges withOpen(ModelGraph graph, DimensionRanges ranges) {
    List<DimensionRange> all = new ArrayList<>(ranges.ranges());
    for (String name : FixedDimensions.openIn(graph)) {
      if (!name.isBlank() && ranges.range(name).isEmpty()) {
        all.add(new DimensionRange(name, 1, MAX_OPEN));
      }
    }
    return new DimensionRanges(all);
  }

  private void addSources() {
    Set<String> inputs = new HashSet<>();
    if (graph.model().getIrVersion() >= VERSION_OF_OVERRIDABLE_INITIALIZERS) {
      for (ValueInfoProto input : graph.model().getGraph().getInputList()) {
        inputs.add(input.getName());
      }
    }
    for (GraphValue value : graph.values()) {
      if (value.source() != GraphValue.Source.RESULT) {
        shapes.put(
            value.name(), merged(SymbolicValue.unknown(0, "value '" + value.name() + "'"), value));
      }
    }
    for (TensorProto tensor : graph.model().getGraph().getInitializerList()) {
      SymbolicValue value = ElementNumbers.valueOf(tensor);
      // The caller can replace an initializer that is an input.
      boolean isFixed = !inputs.contains(tensor.getName());
      shapes.put(tensor.getName(), isFixed ? value : value.withoutContents());
    }
    for (SparseTensorProto tensor : graph.model().getGraph().getSparseInitializerList()) {
      shapes.put(
          tensor.getValues().getName(),
          SymbolicValue.of(
              tensor.getValues().getDataType(),
              SymbolicShape.ofConstants(
                  tensor.getDimsList().stream().mapToLong(Long::longValue).toArray())));
    }
  }

  /** Completes the result of a rule by the type in the file and the inferred one. */
  private void complete(GraphValue value) {
    shapes.put(value.name(), merged(shapes.value(value.name()), value));
  }

  private SymbolicValue merged(SymbolicValue ruled, GraphValue value) {
    SymbolicValue merged = merged(ruled, value, value.type());
    ValueType more = inferred.get(value.name());
    return more == null ? merged : merged(merged, value, more);
  }

  private SymbolicValue merged(SymbolicValue ruled, GraphValue value, ValueType type) {
    if (!(type instanceof ValueType.Tensor tensor)) {
      return ruled;
    }
    int code = ruled.elementCode() == 0 ? tensor.elementCode() : ruled.elementCode();
    if (tensor.shape().isEmpty()) {
      return ruled.withElementCode(code);
    }
    List<DimensionSize> sizes = tensor.shape().get();
    if (sizes.size() > SymbolicShape.MAX_RANK) {
      return ruled.withElementCode(code);
    }
    if (ruled.shape().filter(shape -> shape.rank() != sizes.size()).isPresent()) {
      return ruled.withElementCode(code);
    }
    List<SizeExpression> dimensions = new ArrayList<>();
    for (int axis = 0; axis < sizes.size(); axis++) {
      int place = axis;
      Optional<SizeExpression> known =
          ruled
              .shape()
              .map(shape -> shape.at(place))
              .filter(dimension -> sizing.causeOf(dimension).isEmpty());
      dimensions.add(
          known
              .or(() -> expression(value, place, sizes.get(place)))
              .or(() -> ruled.shape().map(shape -> shape.at(place)))
              .orElseGet(() -> sizing.unknownSize(ruled.cause())));
    }
    return new SymbolicValue(
        code, Optional.of(new SymbolicShape(dimensions)), ruled.contents(), "");
  }

  private Optional<SizeExpression> expression(GraphValue value, int axis, DimensionSize size) {
    return switch (size) {
      case DimensionSize.Known(long known) -> Optional.of(SizeExpression.of(known));
      case DimensionSize.Named(String name) -> dimension(name);
      case DimensionSize.Unnamed unnamed ->
          value.source() == GraphValue.Source.INPUT
              ? dimension(FixedDimensions.byPlace(value.name(), axis))
              : Optional.empty();
    };
  }

  private Optional<SizeExpression> dimension(String name) {
    return sizing.ranges().range(name).map(range -> SizeExpression.dimension(range.name()));
  }

  /** {@return the dimensions of a value of known size} */
  public List<SizeExpression> dimensions(GraphValue value) {
    return shapes.value(value.name()).shape().orElseThrow().dimensions();
  }

  /** {@return the type of the elements of a value of known size} */
  public ElementType elementType(GraphValue value) {
    return ElementType.ofCode(shapes.value(value.name()).elementCode()).orElseThrow();
  }

  /** {@return the size of a value} */
  public SymbolicBytes bytes(GraphValue value) {
    if (value.type() instanceof ValueType.Other(String kind)) {
      return new SymbolicBytes.Missing(kind);
    }
    if (inferred.get(value.name()) instanceof ValueType.Other(String kind)) {
      return new SymbolicBytes.Missing(kind);
    }
    SymbolicValue known = shapes.value(value.name());
    ValueType.Tensor scalar = new ValueType.Tensor(known.elementCode(), Optional.of(List.of()));
    if (known.elementCode() != 0 && ValueBytes.of(scalar) instanceof ValueBytes.Missing missing) {
      return new SymbolicBytes.Missing(missing.reason());
    }
    if (known.shape().isEmpty()) {
      return new SymbolicBytes.Missing(dependency(known.cause()));
    }
    SymbolicShape shape = known.shape().get();
    for (SizeExpression dimension : shape.dimensions()) {
      Optional<String> cause = sizing.causeOf(dimension);
      if (cause.isPresent()) {
        return new SymbolicBytes.Missing(dependency(cause.get()));
      }
    }
    OptionalInt bits =
        ElementType.ofCode(known.elementCode()).map(ElementType::bits).orElse(OptionalInt.empty());
    if (bits.isEmpty()) {
      return new SymbolicBytes.Missing("element type unknown");
    }
    try {
      SizeExpression count = shape.elements();
      return new SymbolicBytes.Known(
          bits.getAsInt() >= Byte.SIZE
              ? count.times(bits.getAsInt() / Byte.SIZE)
              : count.ceilDivide(Byte.SIZE / bits.getAsInt()));
    } catch (ArithmeticException e) {
      return new SymbolicBytes.TooLarge("shape " + shape);
    }
  }

  private static String dependency(String cause) {
    return cause.isEmpty() ? "shape of any rank" : "depends on " + cause;
  }

  /** {@return sentences on shapes of the ranges for which the model is invalid} */
  public List<String> violations() {
    return sizing.violations();
  }

  /** {@return the open dimensions of the inputs that have no range, in the order of the file} */
  public Set<String> openDimensions() {
    Set<String> open = new HashSet<>();
    for (DimensionRange range : sizing.ranges().ranges()) {
      if (ranges.range(range.name()).isEmpty()) {
        open.add(range.name());
      }
    }
    return open;
  }

  /**
   * {@return the dimensions of values that are negative at some shape, with the shape}
   *
   * @param values the values
   */
  public Map<GraphValue, String> negative(List<GraphValue> values) {
    Map<GraphValue, String> negative = new LinkedHashMap<>();
    ShapeProver prover = ShapeProver.of(ranges).withBoxLimit(Sizing.BOX_LIMIT);
    Set<SizeExpression> checked = new HashSet<>();
    for (GraphValue value : values) {
      for (SizeExpression dimension :
          shapes.value(value.name()).shape().orElse(SymbolicShape.SCALAR).dimensions()) {
        if (dimension.constant().isEmpty() && checked.add(dimension)) {
          prover.refutation(dimension).ifPresent(refutation -> negative.put(value, refutation));
        }
      }
    }
    return negative;
  }
}
