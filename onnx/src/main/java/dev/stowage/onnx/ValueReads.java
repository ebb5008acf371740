package dev.stowage.onnx;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The number of operators that read each record of a model. */
final class ValueReads {

  private ValueReads() {}

  /**
   * {@return the numbers, in the order of the records}
   *
   * <p>An operator whose result shares the record that it reads, such as a {@code Reshape} with
   * aliases, moves no bytes and does not count.
   *
   * @param recordCount the number of records
   * @param recordOf the record of a value, or empty if it is not planned
   */
  static List<Integer> of(
      ModelGraph graph, int recordCount, Function<GraphValue, OptionalInt> recordOf) {
    int[] reads = new int[recordCount];
    for (GraphNode node : graph.nodes()) {
      int[] written = records(node.writes(), graph, recordOf).toArray();
      records(node.reads(), graph, recordOf)
          .distinct()
          .filter(record -> Arrays.stream(written).noneMatch(it -> it == record))
          .forEach(record -> reads[record]++);
    }
    return Arrays.stream(reads).boxed().toList();
  }

  private static IntStream records(
      List<Integer> values, ModelGraph graph, Function<GraphValue, OptionalInt> recordOf) {
    List<GraphValue> all = graph.values();
    return values.stream().flatMapToInt(value -> recordOf.apply(all.get(value)).stream());
  }
}
