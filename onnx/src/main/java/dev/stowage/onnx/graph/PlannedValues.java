package dev.stowage.onnx.graph;

import dev.stowage.core.plan.TensorScope;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.onnx.graph.GraphValue.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The values of a graph that are planned, each with its usage record, and those that would be if
 * their sizes were known.
 */
public final class PlannedValues implements ValueRecords {

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
   * {@return what to plan of a graph: its inputs as in the file, then results by task and place}
   *
   * @param graph the graph
   * @param scope which of its values are planned
   * @param isAliased whether a view of a planned value shares its record
   * @param types types that are known beyond what the file says, by the names of values
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

  /** {@return these values, of which more types are known} */
  public PlannedValues withTypes(Map<String, ValueType> more) {
    Map<String, ValueType> all = new HashMap<>(types);
    all.putAll(more);
    return of(graph, scope, isAliased, all);
  }

  /** {@return the values that are planned where their sizes are known} */
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
        records.add(TensorUsageRecord.of(bytes, value.firstTask(), lastTask(value)));
      }
      case ValueBytes.Missing missing -> skipped.put(value, missing.reason());
    }
  }

  private int lastTask(GraphValue value) {
    return value.isOutput() ? Math.max(0, graph.nodes().size() - 1) : value.lastTask();
  }

  /**
   * Gives every planned view of a planned value that one's record; views of views follow.
   *
   * <p>A value is written once, by what makes it, so that a view never sees other bytes than it
   * should. Of a value without a record (a constant, or one that the caller of the model has), a
   * view is a copy with a record of its own.
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
      int viewed =
          graph.value(node.proto().getInput(0)).map(value -> recordOf[value.index()]).orElse(NONE);
      int view = recordOf[node.writes().getFirst()];
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
      // What is viewed comes before its views, so that its record is there.
      if (root[i] == i) {
        recordOf[all.get(i).index()] = records.size();
        values.add(all.get(i));
        views.add(new ArrayList<>());
        TensorUsageRecord record = unshared.get(i);
        records.add(TensorUsageRecord.of(record.bytes(), record.firstTask(), last[i]));
      } else {
        int shared = recordOf[all.get(root[i]).index()];
        recordOf[all.get(i).index()] = shared;
        views.get(shared).add(all.get(i));
      }
    }
  }

  /** {@return what is known of a value's type} */
  public ValueType type(GraphValue value) {
    ValueType inferred = types.get(value.name());
    return inferred == null ? value.type() : ValueType.both(value.type(), inferred);
  }

  @Override
  public List<TensorUsageRecord> records() {
    return records;
  }

  /** {@return the value of each record; of views that share it, what they view} */
  public List<GraphValue> values() {
    return values;
  }

  @Override
  public OptionalInt recordOf(GraphValue value) {
    int record = recordOf[value.index()];
    return record == NONE ? OptionalInt.empty() : OptionalInt.of(record);
  }

  /** {@return the values of unknown size, and why it is unknown, in the order of the graph} */
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

  /** {@return the records that there would be if no value shared one} */
  public List<TensorUsageRecord> unshared() {
    return unshared;
  }

  /** {@return how many values share the record of what they view} */
  public int viewCount() {
    return unshared.size() - records.size();
  }
}
