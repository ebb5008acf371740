package dev.stowage.onnx;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The number of operators that read each record of a model. */
final class ValueReads {

  private ValueReads() {}

  /**
   * {@return the numbers, in the order of the records}
   *
   * <p>An operator whose result shares the record that it reads, such as a {@code Reshape} with
   * aliases, moves no bytes and does not count.
   */
  static List<Integer> of(ModelGraph graph, PlannedValues planned) {
    int[] reads = new int[planned.records().size()];
    for (GraphNode node : graph.nodes()) {
      int[] written = records(node.writes(), graph, planned).toArray();
      records(node.reads(), graph, planned)
          .distinct()
          .filter(record -> Arrays.stream(written).noneMatch(it -> it == record))
          .forEach(record -> reads[record]++);
    }
    return Arrays.stream(reads).boxed().toList();
  }

  private static IntStream records(List<Integer> values, ModelGraph graph, PlannedValues planned) {
    List<GraphValue> all = graph.values();
    return values.stream().flatMapToInt(value -> planned.recordOf(all.get(value)).stream());
  }
}
