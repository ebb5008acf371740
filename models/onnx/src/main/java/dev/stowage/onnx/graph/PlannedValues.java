package dev.stowage.onnx.graph;

import dev.stowage.onnx.graph.GraphValue.Source;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The planned values of a graph with their usage records, and the values that are not planned
 * because their sizes are unknown.
 */
public final class PlannedValues {

  private static final int NONE = -1;

  private final ModelGraph graph;
  private final Map<String, ValueType> types;
  private final TensorScope scope;
  private final boolean isAliased;
  private final List<GraphValue> values = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final Map<GraphValue, String> skipped = new LinkedHashMap<>();
  private final int[] recordOf;
  private final List<List<GraphValue>> views = new ArrayList<>();

  /** The views of inputs that are not planned, by the index of the value. */
  private final BitSet inCallerMemory = new BitSet();

  private List<TensorUsageRecord> unshared = List.of();

  private PlannedValues(
      ModelGraph graph, TensorScope scope, boolean isAliased, Map<String, ValueType> types) {
    this.graph = graph;
    this.types = Map.copyOf(types);
    this.scope = scope;
    this.isAliased = isAliased;
    this.recordOf = new int[graph.values().size()];
    Arrays.fill(recordOf, NONE);
  }

  /**
   * {@return the planned values: inputs in the order of the file, then results in the order of
   * tasks}
   *
   * @param graph the graph
   * @param scope the values to plan
   * @param isAliased true if a view of a planned value shares its record, and a view of an input
   *     that is not planned stays in the memory of the input
   * @param types types that the file lacks, by the names of values
   */
  public static PlannedValues of(
      ModelGraph graph, TensorScope scope, boolean isAliased, Map<String, ValueType> types) {
    PlannedValues planned = new PlannedValues(graph, scope, isAliased, types);
    for (GraphValue value : candidates(graph, scope)) {
      planned.add(value);
    }
    planned.unshared = List.copyOf(planned.records);
    if (isAliased) {
      planned.shareViews();
    } else {
      planned.records.forEach(record -> planned.views.add(List.of()));
    }
    return planned;
  }

  /** {@return these values with more known types} */
  public PlannedValues withTypes(Map<String, ValueType> more) {
    Map<String, ValueType> all = new HashMap<>(types);
    all.putAll(more);
    return of(graph, scope, isAliased, all);
  }

  /** {@return the values that are planned if their sizes are known} */
  public static List<GraphValue> candidates(ModelGraph graph, TensorScope scope) {
    return graph.values().stream().filter(value -> isCandidate(value, scope)).toList();
  }

  private static boolean isCandidate(GraphValue value, TensorScope scope) {
    boolean isIntermediate = value.source() == Source.RESULT && !value.isOutput();
    return !value.isConstant() && (isIntermediate || scope == TensorScope.WITH_INPUTS_AND_OUTPUTS);
  }

  private void add(GraphValue value) {
    switch (ValueBytes.of(type(value))) {
      case ValueBytes.Known(long bytes) when bytes == 0 -> {}
      case ValueBytes.Known(long bytes) -> {
        recordOf[value.index()] = records.size();
        values.add(value);
        records.add(
            TensorUsageRecord.of(bytes, value.firstTask(), lastTask(value)).withName(value.name()));
      }
      case ValueBytes.Missing missing -> skipped.put(value, missing.reason());
    }
  }

  private int lastTask(GraphValue value) {
    return value.isOutput() ? Math.max(0, graph.nodes().size() - 1) : value.lastTask();
  }

  /**
   * Gives each view of a planned value, also a view of a view, the record of the value. Views of
   * unplanned inputs stay in the memory of the caller.
   *
   * <p>Each value is written once, so that a view always has the right bytes. A view of another
   * value without a record (a constant, or an output) is a copy with a record of its own.
   */
  private void shareViews() {
    List<GraphValue> all = List.copyOf(values);
    int[] root = new int[all.size()];
    Arrays.setAll(root, i -> i);
    long[] last = unshared.stream().mapToLong(TensorUsageRecord::lastTask).toArray();
    for (GraphNode node : graph.nodes()) {
      if (!node.isView() || node.proto().getInputCount() == 0) {
        continue;
      }
      Optional<GraphValue> input = graph.value(node.proto().getInput(0));
      int viewed = input.map(value -> recordOf[value.index()]).orElse(NONE);
      int view = recordOf[node.writes().getFirst()];
      if (view != NONE && input.filter(it -> isCallerMemory(it, unshared.get(view))).isPresent()) {
        inCallerMemory.set(node.writes().getFirst());
        root[view] = NONE;
        continue;
      }
      if (viewed != NONE
          && view != NONE
          && unshared.get(viewed).bytes() == unshared.get(view).bytes()) {
        root[view] = root[viewed];
        last[root[view]] = Math.max(last[root[view]], last[view]);
      }
    }
    values.clear();
    records.clear();
    for (int i = 0; i < all.size(); i++) {
      // A value precedes its views, so that its record exists.
      if (root[i] == NONE) {
        recordOf[all.get(i).index()] = NONE;
      } else if (root[i] == i) {
        recordOf[all.get(i).index()] = records.size();
        values.add(all.get(i));
        views.add(new ArrayList<>());
        TensorUsageRecord record = unshared.get(i);
        records.add(record.withLifetime(record.firstTask(), last[i]));
      } else {
        int shared = recordOf[all.get(root[i]).index()];
        recordOf[all.get(i).index()] = shared;
        views.get(shared).add(all.get(i));
      }
    }
  }

  /** {@return true if a view of this value, of the same size, stays in the memory of the caller} */
  private boolean isCallerMemory(GraphValue value, TensorUsageRecord view) {
    boolean isOutside =
        inCallerMemory.get(value.index())
            || (value.source() == Source.INPUT && recordOf[value.index()] == NONE);
    return isOutside
        && ValueBytes.of(type(value)) instanceof ValueBytes.Known(long bytes)
        && bytes == view.bytes();
  }

  /** {@return true if a value is a view of an input that is not planned, in its memory} */
  public boolean isInCallerMemory(GraphValue value) {
    return inCallerMemory.get(value.index());
  }

  /** {@return the type of a value} */
  public ValueType type(GraphValue value) {
    ValueType inferred = types.get(value.name());
    return inferred == null ? value.type() : ValueType.merge(value.type(), inferred);
  }

  /** {@return the records} */
  public List<TensorUsageRecord> records() {
    return records;
  }

  /** {@return the value of each record; if views share it, the value that they view} */
  public List<GraphValue> values() {
    return values;
  }

  /** {@return the record of a value, or empty if it is not planned} */
  public OptionalInt recordOf(GraphValue value) {
    int record = recordOf[value.index()];
    return record == NONE ? OptionalInt.empty() : OptionalInt.of(record);
  }

  /** {@return the values of unknown size with the reason, in the order of the graph} */
  public Map<GraphValue, String> skipped() {
    return skipped;
  }

  /**
   * {@return the values that share each record as views of its {@linkplain #values() value}, in the
   * order of the graph}
   */
  public List<List<GraphValue>> views() {
    return views;
  }

  /** {@return the records without sharing} */
  public List<TensorUsageRecord> unshared() {
    return unshared;
  }

  /** {@return the number of views that share the memory of another value} */
  public int viewCount() {
    return unshared.size() - records.size();
  }
}
