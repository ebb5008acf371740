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

/** The operators that compute and read the records of a model. */
final class ValueUses {

  private ValueUses() {}

  /**
   * {@return the uses of each record}
   *
   * <p>An operator whose result shares the record that it reads, such as a {@code Reshape} with
   * aliases, moves no bytes. It is neither a producer nor a consumer of the record.
   *
   * @param values the value of each record; if views share it, the value that they view
   * @param recordOf the record of a value, or empty if it is not planned
   */
  static List<TensorUses> of(
      ModelGraph graph, List<GraphValue> values, Function<GraphValue, OptionalInt> recordOf) {
    List<List<Integer>> consumers = new ArrayList<>();
    values.forEach(_ -> consumers.add(new ArrayList<>()));
    for (GraphNode node : graph.nodes()) {
      Set<Integer> read = records(node.reads(), graph, recordOf);
      read.removeAll(records(node.writes(), graph, recordOf));
      read.forEach(record -> consumers.get(record).add(node.task()));
    }
    List<TensorUses> uses = new ArrayList<>();
    for (int record = 0; record < values.size(); record++) {
      uses.add(new TensorUses(producer(values.get(record)), consumers.get(record)));
    }
    return uses;
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
