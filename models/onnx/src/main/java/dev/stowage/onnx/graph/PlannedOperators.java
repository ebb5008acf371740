package dev.stowage.onnx.graph;

import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operators of a graph and the records that they read and write, for a search over their
 * orders.
 *
 * <p>An operator runs after the producers of all its inputs and of all values of the graph that its
 * bodies read, whether these have records or not. {@link NodeEffects Operators with effects} keep
 * their order.
 */
public final class PlannedOperators {

  private static final int NONE = -1;

  private final ModelGraph graph;
  private final PlannedValues planned;
  private final Map<Integer, Integer> producers = new HashMap<>();

  /** The last operator so far that computes a name; two constants may have the same one. */
  private final Map<String, Integer> writers = new HashMap<>();

  private final Set<Integer> inputs = new LinkedHashSet<>();
  private final Set<Integer> outputs = new LinkedHashSet<>();
  private final Set<Integer> written = new LinkedHashSet<>();
  private int lastWithEffects = NONE;

  private PlannedOperators(ModelGraph graph, PlannedValues planned) {
    this.graph = graph;
    this.planned = planned;
  }

  /**
   * {@return the operators of a graph, with the lifetimes of the planned values in its order}
   *
   * @param graph the graph
   * @param planned its values; views may share records
   */
  public static OperatorGraph of(ModelGraph graph, PlannedValues planned) {
    return new PlannedOperators(graph, planned).build();
  }

  private OperatorGraph build() {
    for (GraphValue value : graph.values()) {
      planned
          .recordOf(value)
          .ifPresent(record -> {
            if (value.source() != GraphValue.Source.RESULT) {
              inputs.add(record);
            }
            if (value.isOutput()) {
              outputs.add(record);
            }
          });
    }
    written.addAll(inputs);
    NodeEffects effects = new NodeEffects(graph.model());
    List<Operator> operators = new ArrayList<>();
    for (GraphNode node : graph.nodes()) {
      operators.add(operator(node, effects.hasEffects(node.proto())));
    }
    return OperatorGraph.of(planned.records().size(), operators)
        .withInputs(List.copyOf(inputs))
        .withOutputs(List.copyOf(outputs));
  }

  private Operator operator(GraphNode node, boolean hasEffects) {
    Set<Integer> after = new LinkedHashSet<>();
    for (int value : node.reads()) {
      after.add(producers.getOrDefault(value, NONE));
    }
    node.writes().forEach(value -> producers.put(value, node.task()));
    for (String name : node.proto().getOutputList()) {
      Integer other = name.isEmpty() ? null : writers.put(name, node.task());
      after.add(other == null ? NONE : other);
    }
    if (hasEffects) {
      after.add(lastWithEffects);
      lastWithEffects = node.task();
    }
    after.remove(NONE);
    Set<Integer> reads = records(node.reads());
    Set<Integer> writes = new LinkedHashSet<>();
    for (int record : records(node.writes())) {
      // A view does not write the record that it shares: other readers may run before and after it.
      (written.add(record) ? writes : reads).add(record);
    }
    return Operator.of(List.copyOf(reads), List.copyOf(writes)).withAfter(List.copyOf(after));
  }

  private Set<Integer> records(List<Integer> values) {
    List<GraphValue> all = graph.values();
    return values.stream()
        .flatMapToInt(value -> planned.recordOf(all.get(value)).stream())
        .boxed()
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
