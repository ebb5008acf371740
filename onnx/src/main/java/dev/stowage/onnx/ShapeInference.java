package dev.stowage.onnx;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.TensorScope;
import dev.stowage.onnx.engine.EngineShapes;
import dev.stowage.onnx.graph.FunctionCalls;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ShapeRules;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What ONNX Runtime knows of the values whose sizes a file does not tell.
 *
 * @param types types by the names of values
 * @param failure why the engine could not be asked, a sentence
 */
record ShapeInference(Map<String, ValueType> types, Optional<String> failure) {

  /** The engine puts functions in place of their calls, in time that grows with the square. */
  private static final int MOST_OPERATORS = 50_000;

  /**
   * {@return what is known of the values to be planned; the engine is asked only where the file
   * does not tell}
   *
   * @param source the file, in messages
   * @param graph the graph
   * @param scope which of its values are planned
   * @throws MalformedFileException if the engine refuses the model, or would not survive it
   */
  static ShapeInference of(String source, ModelGraph graph, TensorScope scope)
      throws MalformedFileException {
    List<String> open =
        PlannedValues.candidates(graph, scope).stream()
            .filter(value -> value.source() == GraphValue.Source.RESULT)
            .filter(value -> ValueBytes.of(value.type()) instanceof ValueBytes.Open)
            .map(GraphValue::name)
            .toList();
    if (open.isEmpty()) {
      return new ShapeInference(Map.of(), Optional.empty());
    }
    int operatorCount = FunctionCalls.operatorCount(graph.model());
    if (operatorCount > MOST_OPERATORS && graph.model().getFunctionsCount() > 0) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "its functions come to more than %d operators where they are called, expected fewer",
              MOST_OPERATORS));
    }
    try {
      return new ShapeInference(infer(source, graph, open), Optional.empty());
    } catch (LinkageError e) {
      return new ShapeInference(
          Map.of(),
          Optional.of(
              "the file does not tell all shapes, and nothing can infer them: "
                  + MissingEngineException.sentence(e)));
    }
  }

  /** Asks, adds what follows from rules of ours, and asks again with that, as long as more does. */
  private static Map<String, ValueType> infer(String source, ModelGraph graph, List<String> open)
      throws MalformedFileException {
    Map<String, ValueType> types = new HashMap<>(EngineShapes.infer(source, graph.model(), open));
    Map<String, ValueType> ruled = new HashMap<>();
    Map<String, ValueType> more = ShapeRules.of(graph, value -> known(value, types));
    while (!more.isEmpty()) {
      ruled.putAll(more);
      types.putAll(EngineShapes.infer(source, ShapeRules.addTypes(graph.model(), ruled), open));
      types.putAll(ruled);
      more = ShapeRules.of(graph, value -> known(value, types));
    }
    return types;
  }

  private static ValueType known(GraphValue value, Map<String, ValueType> types) {
    return ValueType.both(value.type(), types.getOrDefault(value.name(), new ValueType.Unknown()));
  }
}
