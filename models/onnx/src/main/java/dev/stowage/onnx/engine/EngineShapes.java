package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtException.OrtErrorCode;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ShapeQuestion;
import dev.stowage.onnx.graph.ShapeRules;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The shapes that ONNX Runtime infers when it loads a model, without a run. */
public final class EngineShapes {

  /** The shape of a scalar. */
  private static final ValueType NO_DIMENSIONS =
      new ValueType.Tensor(
          ElementType.INT64.code(), Optional.of(List.of(new DimensionSize.Known(0))));

  private EngineShapes() {}

  /**
   * {@return the types of values that are known before the model runs}
   *
   * @param model the model
   * @param names the values
   * @param source the name of the file in messages
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static Map<String, ValueType> infer(String source, ModelProto model, List<String> names)
      throws MalformedFileException {
    try {
      return infer(model, names);
    } catch (OrtException e) {
      throw EngineRefusal.of(source, e);
    }
  }

  /**
   * {@return the types of values before the model runs, with rules for operators that ONNX Runtime
   * does not infer}
   *
   * <p>The method asks ONNX Runtime again with the types from rules, until the rules add no types.
   *
   * @param source the name of the file in messages
   * @param graph the graph
   * @param names the values
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static Map<String, ValueType> inferWithRules(
      String source, ModelGraph graph, List<String> names) throws MalformedFileException {
    Map<String, ValueType> types = new HashMap<>(infer(source, graph.model(), names));
    Map<String, ValueType> ruled = new HashMap<>();
    Map<String, ValueType> more = ShapeRules.of(graph, value -> known(value, types));
    while (!more.isEmpty()) {
      ruled.putAll(more);
      types.putAll(infer(source, ShapeRules.addTypes(graph.model(), ruled), names));
      types.putAll(ruled);
      more = ShapeRules.of(graph, value -> known(value, types));
    }
    return types;
  }

  /**
   * The types of values before a run and in it.
   *
   * @param types the types by name
   * @param observed the names of values with types that only the run shows
   */
  public record Observed(Map<String, ValueType> types, List<String> observed) {}

  /**
   * {@return the types of values before the model runs, and the types that follow from the types in
   * a run}
   *
   * @param source the name of the file in messages
   * @param graph the graph
   * @param names the values
   * @param observed the types in a run, by the names of values; they count for values of unknown
   *     type before the run
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static Observed inferWithObserved(
      String source, ModelGraph graph, List<String> names, Map<String, ValueType.Tensor> observed)
      throws MalformedFileException {
    Map<String, ValueType> types = inferWithRules(source, graph, names);
    Map<String, ValueType> used = new HashMap<>();
    for (String name : names) {
      ValueType.Tensor type = observed.get(name);
      if (type != null && !isComplete(graph, name, types)) {
        used.put(name, type);
      }
    }
    if (used.isEmpty()) {
      return new Observed(types, List.of());
    }
    types.putAll(used);
    if (names.stream().anyMatch(name -> !isComplete(graph, name, types))) {
      addFollowing(source, graph, names, used, types);
    }
    return new Observed(types, names.stream().filter(used::containsKey).toList());
  }

  /** Adds the types that follow from the types in a run, for values in no profile. */
  private static void addFollowing(
      String source,
      ModelGraph graph,
      List<String> names,
      Map<String, ValueType> used,
      Map<String, ValueType> types) {
    Map<String, ValueType> inferred;
    try {
      inferred = infer(source, ShapeRules.addTypes(graph.model(), used), names);
    } catch (MalformedFileException e) {
      // The largest types of several runs may contradict each other; the other types then stay
      // unknown.
      return;
    }
    inferred.forEach((name, type) -> {
      if (!isComplete(graph, name, types)) {
        types.put(name, type);
      }
    });
  }

  private static boolean isComplete(ModelGraph graph, String name, Map<String, ValueType> types) {
    return graph.value(name).filter(value -> isOpen(known(value, types))).isEmpty();
  }

  private static boolean isOpen(ValueType type) {
    return type instanceof ValueType.Unknown
        || (type instanceof ValueType.Tensor tensor && !tensor.isComplete());
  }

  private static ValueType known(GraphValue value, Map<String, ValueType> types) {
    return ValueType.merge(value.type(), types.getOrDefault(value.name(), new ValueType.Unknown()));
  }

  private static Map<String, ValueType> infer(ModelProto model, List<String> names)
      throws OrtException {
    Map<String, NodeInfo> outputs = ask(ShapeQuestion.of(model, names));
    if (!outputs.isEmpty()) {
      Map<String, ValueType> types = types(outputs);
      forgetUnknownRanks(model, types);
      return types;
    }
    if (names.size() == 1) {
      return Map.of(names.getFirst(), new ValueType.Other("not a tensor"));
    }
    int half = names.size() / 2;
    Map<String, ValueType> types = new HashMap<>(infer(model, names.subList(0, half)));
    types.putAll(infer(model, names.subList(half, names.size())));
    return types;
  }

  /** Removes the shapes of tensors of unknown rank, which the Java classes describe as scalars. */
  private static void forgetUnknownRanks(ModelProto model, Map<String, ValueType> types)
      throws OrtException {
    List<String> scalars = new ArrayList<>();
    types.forEach((name, type) -> {
      if (type instanceof ValueType.Tensor tensor && tensor.shape().orElseThrow().isEmpty()) {
        scalars.add(name);
      }
    });
    if (scalars.isEmpty()) {
      return;
    }
    Map<String, ValueType> ranks = types(ask(ShapeQuestion.ofRanks(model, scalars)));
    for (String name : scalars) {
      if (!NO_DIMENSIONS.equals(ranks.get(ShapeQuestion.rankOf(name)))
          && types.get(name) instanceof ValueType.Tensor tensor) {
        types.put(name, new ValueType.Tensor(tensor.elementCode(), Optional.empty()));
      }
    }
  }

  private static Map<String, NodeInfo> ask(ModelProto question) throws OrtException {
    try (SessionOptions options = options();
        OrtSession session =
            EngineEnvironment.get().createSession(question.toByteArray(), options)) {
      return outputs(session);
    }
  }

  private static SessionOptions options() throws OrtException {
    // The basic level computes shapes from constants; without optimizations, they stay unknown.
    SessionOptions options = EngineEnvironment.options(OptLevel.BASIC_OPT);
    options.setCPUArenaAllocator(false);
    // Shapes depend only on small constants; larger ones are not computed.
    options.addConfigEntry(
        "optimization.constant_folding_max_output_size_in_bytes",
        Long.toString(ShapeQuestion.LARGE_BYTES));
    return options;
  }

  /**
   * {@return the outputs of a session; none if one has a kind that the Java classes do not support}
   */
  private static Map<String, NodeInfo> outputs(OrtSession session) throws OrtException {
    try {
      return session.getOutputInfo();
    } catch (OrtException e) {
      // For example an optional value; ONNX Runtime does not name it.
      if (e.getCode() == OrtErrorCode.ORT_NOT_IMPLEMENTED) {
        return Map.of();
      }
      throw e;
    }
  }

  private static Map<String, ValueType> types(Map<String, NodeInfo> outputs) {
    Map<String, ValueType> types = new HashMap<>();
    outputs.forEach((name, info) -> {
      if (info.getInfo() instanceof TensorInfo tensor) {
        EngineTypes.typeOf(tensor).ifPresent(type -> types.put(name, type));
      } else {
        types.put(name, new ValueType.Other("not a tensor"));
      }
    });
    return types;
  }
}
