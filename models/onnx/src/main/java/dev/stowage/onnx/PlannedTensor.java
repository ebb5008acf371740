package dev.stowage.onnx;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.plan.TensorUses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A value of a model that has a record in a problem.
 *
 * @param name the name of the value; if values share the record, the name of the first one
 * @param type the type of the value
 * @param views the other values that share the record, as views of the first or of each other; none
 *     without {@link OnnxOptions#withAliases()}
 * @param uses the operators that compute and read the record. Operators that make its views are not
 *     among them
 */
public record PlannedTensor(String name, OnnxTensorType type, List<View> views, TensorUses uses) {

  /**
   * A value that shares the record of another value as a view of it.
   *
   * @param name the name of the value
   * @param producer the task of the operator that makes the view
   */
  public record View(String name, int producer) {}

  /** Creates a tensor. */
  public PlannedTensor {
    views = List.copyOf(views);
  }

  /**
   * {@return the tensor of each record}
   *
   * <p>An operator moves no bytes if its result shares the record of its input, as in a {@code
   * Reshape} with aliases. It is neither a producer nor a consumer of the record.
   *
   * @param values the value of each record; if views share it, the value that they view
   * @param views the views of each record
   * @param recordOf the record of a value, or empty if it is not planned
   * @param typeOf the type of a value
   */
  static List<PlannedTensor> of(
      ModelGraph graph,
      List<GraphValue> values,
      List<List<GraphValue>> views,
      Function<GraphValue, OptionalInt> recordOf,
      Function<GraphValue, OnnxTensorType> typeOf) {
    List<List<Integer>> consumers = new ArrayList<>();
    values.forEach(_ -> consumers.add(new ArrayList<>()));
    for (GraphNode node : graph.nodes()) {
      Set<Integer> read = records(node.reads(), graph, recordOf);
      read.removeAll(records(node.writes(), graph, recordOf));
      read.forEach(record -> consumers.get(record).add(node.task()));
    }
    List<PlannedTensor> tensors = new ArrayList<>();
    for (int record = 0; record < values.size(); record++) {
      GraphValue value = values.get(record);
      tensors.add(
          new PlannedTensor(
              value.name(),
              typeOf.apply(value),
              views.get(record).stream()
                  .map(view -> new View(view.name(), view.firstTask()))
                  .toList(),
              new TensorUses(producer(value), consumers.get(record))));
    }
    return tensors;
  }

  private static OptionalInt producer(GraphValue value) {
    return value.source() == GraphValue.Source.RESULT
        ? OptionalInt.of(value.firstTask())
        : OptionalInt.empty();
  }

  private static Set<Integer> records(
      List<Integer> values, ModelGraph graph, Function<GraphValue, OptionalInt> recordOf) {
    return values.stream()
        .flatMapToInt(value -> recordOf.apply(graph.values().get(value)).stream())
        .boxed()
        .collect(Collectors.toCollection(HashSet::new));
  }
}
