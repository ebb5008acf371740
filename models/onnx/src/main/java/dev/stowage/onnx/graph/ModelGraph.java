package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The main graph of a model: its operators in an executable order, and its values with their
 * producers and readers.
 *
 * <p>Reading takes O(operators + values), independent of the size of the weights.
 */
public final class ModelGraph {

  private final ModelProto model;
  private final List<GraphNode> nodes;
  private final List<Integer> places;
  private final List<GraphValue> values;
  private final Map<String, Integer> indices;
  private final List<String> notes;

  ModelGraph(
      ModelProto model,
      List<GraphNode> nodes,
      List<Integer> places,
      List<GraphValue> values,
      Map<String, Integer> indices,
      List<String> notes) {
    this.model = model;
    this.nodes = List.copyOf(nodes);
    this.places = List.copyOf(places);
    this.values = List.copyOf(values);
    this.indices = indices;
    this.notes = List.copyOf(notes);
  }

  /** {@return the model in the file} */
  public ModelProto model() {
    return model;
  }

  /** {@return the operators in execution order; task k is operator k} */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /** {@return the index of each operator in {@link #model()}} */
  public List<Integer> places() {
    return places;
  }

  /**
   * {@return the values: inputs in the order of the file, other initializers, then results in the
   * order of tasks and of the outputs of a task}
   */
  public List<GraphValue> values() {
    return values;
  }

  /** {@return the value of a name, or empty if there is none} */
  public Optional<GraphValue> value(String name) {
    return Optional.ofNullable(indices.get(name)).map(values::get);
  }

  /** {@return the names of the results of operators} */
  public List<String> results() {
    return values.stream()
        .filter(value -> value.source() == GraphValue.Source.RESULT)
        .map(GraphValue::name)
        .toList();
  }

  /** {@return the outputs of the model, in the order of the file} */
  public List<GraphValue> outputs() {
    return model.getGraph().getOutputList().stream()
        .map(output -> value(output.getName()).orElseThrow())
        .distinct()
        .toList();
  }

  /** {@return sentences for the user on the graph} */
  public List<String> notes() {
    return notes;
  }
}
