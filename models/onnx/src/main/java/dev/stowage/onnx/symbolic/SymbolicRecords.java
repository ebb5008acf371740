package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The planned values of a graph, with records whose sizes are expressions. */
public final class SymbolicRecords {

  /*
   * PlannedValues derives the records of all shapes as those of one shape. It compares sizes only for
   * equality. It therefore gets a number in place of each size: equal expressions have equal numbers,
   * and 0 stands for 0 bytes.
   */

  private final PlannedValues planned;
  private final List<SymbolicRecord> records = new ArrayList<>();
  private final Map<GraphValue, String> tooLarge;

  private SymbolicRecords(PlannedValues planned, Map<GraphValue, String> tooLarge) {
    this.planned = planned;
    this.tooLarge = tooLarge;
  }

  /**
   * {@return the records of the values to plan}
   *
   * @param graph the graph
   * @param scope the values to plan
   * @param isAliased true if a view of a planned value shares its record
   * @param types the sizes of the values
   */
  public static SymbolicRecords of(
      ModelGraph graph, TensorScope scope, boolean isAliased, SymbolicTypes types) {
    Map<SizeExpression, Long> numbers = new HashMap<>();
    List<SizeExpression> sizes = new ArrayList<>();
    numbers.put(SizeExpression.of(0), 0L);
    sizes.add(SizeExpression.of(0));
    Map<String, ValueType> numbered = new HashMap<>();
    Map<GraphValue, String> tooLarge = new LinkedHashMap<>();
    Set<GraphValue> candidates = Set.copyOf(PlannedValues.candidates(graph, scope));
    // Inputs of the graph also have numbers, which are compared with those of their views.
    for (GraphValue value : graph.values()) {
      switch (types.bytes(value)) {
        case SymbolicBytes.Known(SizeExpression bytes) -> {
          long number =
              numbers.computeIfAbsent(
                  bytes,
                  size -> {
                    sizes.add(size);
                    return sizes.size() - 1L;
                  });
          numbered.put(
              value.name(), ValueType.Tensor.of(ElementType.UINT8.code(), List.of(number)));
        }
        case SymbolicBytes.Missing(String reason) ->
            numbered.put(value.name(), new ValueType.Other(reason));
        case SymbolicBytes.TooLarge(String reason) -> {
          numbered.put(value.name(), new ValueType.Other(reason));
          if (candidates.contains(value)) {
            tooLarge.put(value, reason);
          }
        }
      }
    }
    SymbolicRecords records =
        new SymbolicRecords(PlannedValues.of(graph, scope, isAliased, numbered), tooLarge);
    for (TensorUsageRecord record : records.planned.records()) {
      records.records.add(SymbolicRecord.of(sizes.get(Math.toIntExact(record.bytes())), record));
    }
    return records;
  }

  /** {@return the records, in the order of their first tasks} */
  public List<SymbolicRecord> records() {
    return records;
  }

  /** {@return the value of each record; if views share it, the value that they view} */
  public List<GraphValue> values() {
    return planned.values();
  }

  /** {@return the values that share each record as views of its value} */
  public List<List<GraphValue>> views() {
    return planned.views();
  }

  /** {@return the number of views that share the memory of another value} */
  public int viewCount() {
    return planned.viewCount();
  }

  /** {@return the record of a value, or empty if it is not planned} */
  public OptionalInt recordOf(GraphValue value) {
    return planned.recordOf(value);
  }

  /** {@return the values whose sizes cannot be expressed, with the reason} */
  public Map<GraphValue, String> skipped() {
    return planned.skipped();
  }

  /** {@return the values whose sizes exceed 2^63 - 1 bytes, with their shapes} */
  public Map<GraphValue, String> tooLarge() {
    return tooLarge;
  }
}
