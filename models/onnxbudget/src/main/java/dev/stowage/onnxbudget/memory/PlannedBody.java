package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.engine.EngineShapes;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.NodeAttributes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The body of an {@code If}, {@code Loop} or {@code Scan}, which ONNX Runtime plans by itself.
 *
 * <p>The body becomes a graph whose inputs are its own inputs and the values of the graph around it
 * that it reads.
 */
final class PlannedBody {

  /** The bytes of constants that can decide shapes. */
  private static final int SMALL_BYTES = 1 << 10;

  private static final int LOOP_STATES = 2;

  private final String source;
  private final GraphNode node;
  private final ModelGraph outer;
  private final GraphProto body;
  private final ModelGraph graph;
  private final BufferPlan plan;
  private final Map<Integer, List<PlannedBody>> bodies;

  private PlannedBody(
      String source,
      GraphNode node,
      ModelGraph outer,
      GraphProto body,
      Function<String, ValueType> outerTypes)
      throws MalformedFileException {
    this.source = source;
    this.node = node;
    this.outer = outer;
    this.body = body;
    this.graph = GraphAssembly.assemble(source, model(outerTypes));
    Map<String, ValueType> types = EngineShapes.infer(source, graph.model(), graph.results());
    Function<GraphValue, ValueType> known =
        value ->
            ValueType.merge(
                value.type(), types.getOrDefault(value.name(), new ValueType.Unknown()));
    this.plan = BufferPlan.of(graph, known);
    this.bodies = allOf(source, graph, known);
  }

  /**
   * {@return the bodies of a graph by the tasks of their operators; operators whose bodies have no
   * known inputs are missing}
   *
   * @param types the types that ONNX Runtime knows when it creates the session
   */
  static Map<Integer, List<PlannedBody>> allOf(
      String source, ModelGraph graph, Function<GraphValue, ValueType> types) {
    Function<String, ValueType> byName =
        name -> graph.value(name).map(types).orElse(new ValueType.Unknown());
    Map<Integer, List<PlannedBody>> bodies = new HashMap<>();
    for (GraphNode node : graph.nodes()) {
      List<PlannedBody> planned = new ArrayList<>();
      try {
        for (AttributeProto attribute : node.proto().getAttributeList()) {
          if (attribute.hasG()) {
            planned.add(new PlannedBody(source, node, graph, attribute.getG(), byName));
          }
        }
      } catch (MalformedFileException e) {
        continue; // its tensors stay unknown, and a note says so
      }
      if (!planned.isEmpty()) {
        bodies.put(node.task(), planned);
      }
    }
    return bodies;
  }

  /** {@return the body as a model} */
  private ModelProto model(Function<String, ValueType> outerTypes) throws MalformedFileException {
    GraphProto.Builder model = body.toBuilder().clearInput();
    Set<String> defined = new HashSet<>();
    body.getInitializerList().forEach(tensor -> defined.add(tensor.getName()));
    body.getNodeList().forEach(each -> defined.addAll(each.getOutputList()));
    for (int i = 0; i < body.getInputCount(); i++) {
      String name = body.getInput(i).getName();
      defined.add(name);
      ValueType type =
          ValueType.merge(ValueType.of(body.getInput(i).getType()), fed(i, outerTypes));
      if (!(type instanceof ValueType.Tensor tensor)) {
        throw new MalformedFileException(source, "an input of a body is not a tensor: " + name);
      }
      model.addInput(tensor.infoOf(name));
    }
    Map<String, TensorProto> constants = new HashMap<>();
    outer
        .model()
        .getGraph()
        .getInitializerList()
        .forEach(tensor -> constants.put(tensor.getName(), tensor));
    for (int read : node.reads()) {
      String name = outer.values().get(read).name();
      TensorProto constant = constants.get(name);
      if (!defined.add(name)) {
        continue;
      }
      if (constant != null && constant.getSerializedSize() <= SMALL_BYTES) {
        model.addInitializer(constant);
      } else if (outerTypes.apply(name) instanceof ValueType.Tensor tensor) {
        model.addInput(tensor.infoOf(name));
      } else {
        throw new MalformedFileException(source, "a value of a body is not a tensor: " + name);
      }
    }
    return outer.model().toBuilder().setGraph(model).build();
  }

  /** {@return the type of the value that the operator passes to an input of the body} */
  private ValueType fed(int input, Function<String, ValueType> outerTypes)
      throws MalformedFileException {
    boolean isLoop = node.proto().getOpType().equals("Loop");
    if (isLoop && input < LOOP_STATES) {
      ElementType type = input == 0 ? ElementType.INT64 : ElementType.BOOL;
      return ValueType.Tensor.of(type.code(), List.of());
    }
    if (node.proto().getInputCount() != body.getInputCount()) {
      throw new MalformedFileException(source, "a body has other inputs than its operator");
    }
    ValueType type = outerTypes.apply(node.proto().getInput(input));
    int slice = isLoop ? -1 : input - scanStates();
    return slice < 0 ? type : withoutAxis(type, axis(slice));
  }

  private int scanStates() {
    return body.getInputCount() - (int) NodeAttributes.integer(node.proto(), "num_scan_inputs", 0);
  }

  private long axis(int slice) {
    List<Long> axes = NodeAttributes.integers(node.proto(), "scan_input_axes");
    return slice < axes.size() ? axes.get(slice) : 0;
  }

  private static ValueType withoutAxis(ValueType type, long axis) {
    if (!(type instanceof ValueType.Tensor(int elementCode, Optional<List<DimensionSize>> shape))
        || shape.isEmpty()) {
      return type;
    }
    List<DimensionSize> dimensions = new ArrayList<>(shape.get());
    long index = axis < 0 ? axis + dimensions.size() : axis;
    if (index < 0 || index >= dimensions.size()) {
      return new ValueType.Tensor(elementCode, Optional.empty());
    }
    dimensions.remove((int) index);
    return new ValueType.Tensor(elementCode, Optional.of(List.copyOf(dimensions)));
  }

  /**
   * {@return the body with the sizes of its values}
   *
   * @param outerSizes the graph around it with sizes
   * @param settings the options of the session
   * @throws MalformedFileException if ONNX Runtime rejects the sizes
   */
  SizedBody sized(SizedGraph outerSizes, EngineSettings settings) throws MalformedFileException {
    ModelGraph with = GraphAssembly.assemble(source, model(outerSizes::type));
    SizedGraph sizes =
        new SizedGraph(with, EngineShapes.inferWithRules(source, with, with.results()), settings);
    Map<Integer, List<SizedBody>> inner = new LinkedHashMap<>();
    for (Map.Entry<Integer, List<PlannedBody>> each : bodies.entrySet()) {
      List<SizedBody> sized = new ArrayList<>();
      for (PlannedBody planned : each.getValue()) {
        sized.add(planned.sized(sizes, settings));
      }
      inner.put(each.getKey(), sized);
    }
    return new SizedBody(
        new SizedBody.BodyPlan(node, graph, plan),
        sizes,
        outerSizes,
        iterations(outerSizes),
        inner,
        settings.hasPattern());
  }

  /** {@return the constant count of a loop, or the slices of the first input of a scan} */
  private OptionalLong iterations(SizedGraph outerSizes) {
    if (node.proto().getOpType().equals("Loop")) {
      return outer.model().getGraph().getInitializerList().stream()
          .filter(tensor -> tensor.getName().equals(node.proto().getInput(0)))
          .flatMapToLong(PlannedBody::numbers)
          .findFirst();
    }
    int slices = node.proto().getOpType().equals("Scan") ? scanStates() : body.getInputCount();
    if (slices >= body.getInputCount()) {
      return OptionalLong.empty();
    }
    List<Long> dimensions = outerSizes.dimensions(node.proto().getInput(slices));
    long index = axis(0) < 0 ? axis(0) + dimensions.size() : axis(0);
    return index < dimensions.size()
        ? OptionalLong.of(dimensions.get((int) index))
        : OptionalLong.empty();
  }

  private static LongStream numbers(TensorProto tensor) {
    return tensor.hasRawData() && tensor.getRawData().size() == Long.BYTES
        ? LongStream.of(
            tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getLong())
        : tensor.getInt64DataList().stream().mapToLong(Long::longValue);
  }
}
