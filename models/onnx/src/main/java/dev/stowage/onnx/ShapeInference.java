package dev.stowage.onnx;

import dev.stowage.onnx.engine.EngineShapes;
import dev.stowage.onnx.engine.MissingEngineException;
import dev.stowage.onnx.graph.FunctionCalls;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The types of values that the file lacks, as ONNX Runtime infers them.
 *
 * @param types the types by the names of values
 * @param observed the names of values with types that only a run shows
 * @param failure a sentence on the reason if ONNX Runtime is missing
 */
record ShapeInference(
    Map<String, ValueType> types, List<String> observed, Optional<String> failure) {

  /** ONNX Runtime inlines calls of functions, in quadratic time. */
  private static final int MAX_OPERATORS = 50_000;

  /**
   * {@return the inferred types of the values to plan; ONNX Runtime is used only if the file lacks
   * types}
   *
   * @param source the name of the file in messages
   * @param graph the graph
   * @param scope the values to plan
   * @param observed the types in a run, for values of unknown type before it
   * @throws MalformedFileException if ONNX Runtime rejects the model, or would crash on it
   */
  static ShapeInference of(
      String source, ModelGraph graph, TensorScope scope, Map<String, ValueType.Tensor> observed)
      throws MalformedFileException {
    List<String> open =
        PlannedValues.candidates(graph, scope).stream()
            .filter(value -> value.source() == GraphValue.Source.RESULT)
            .filter(value -> ValueBytes.of(value.type()) instanceof ValueBytes.Open)
            .map(GraphValue::name)
            .toList();
    if (open.isEmpty()) {
      return new ShapeInference(Map.of(), List.of(), Optional.empty());
    }
    int operatorCount = FunctionCalls.operatorCount(graph.model());
    if (operatorCount > MAX_OPERATORS && graph.model().getFunctionsCount() > 0) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "the calls of its functions have more than %d operators in all, expected fewer",
              MAX_OPERATORS));
    }
    try {
      EngineShapes.Observed inferred =
          EngineShapes.inferWithObserved(source, graph, open, observed);
      return new ShapeInference(inferred.types(), inferred.observed(), Optional.empty());
    } catch (LinkageError e) {
      return new ShapeInference(
          Map.of(),
          List.of(),
          Optional.of(
              "the file lacks shapes, which only ONNX Runtime can infer: "
                  + MissingEngineException.sentence(e)));
    }
  }
}
