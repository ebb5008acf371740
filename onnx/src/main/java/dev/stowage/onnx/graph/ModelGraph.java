package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.core.MalformedFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A model's main graph: its operators in an order in which they can run, and its values with who
 * makes and who reads them.
 *
 * <p>Reading costs O(operators + values), and is independent of the weights' bytes.
 */
public final class ModelGraph {

  private final ModelProto model;
  private final List<GraphNode> nodes;
  private final List<GraphValue> values;
  private final Map<String, Integer> indices;
  private final List<String> notes;

  ModelGraph(
      ModelProto model,
      List<GraphNode> nodes,
      List<GraphValue> values,
      Map<String, Integer> indices,
      List<String> notes) {
    this.model = model;
    this.nodes = List.copyOf(nodes);
    this.values = List.copyOf(values);
    this.indices = indices;
    this.notes = List.copyOf(notes);
  }

  /**
   * {@return the main graph of a model}
   *
   * @param source the file, in messages
   * @param model the model
   * @throws MalformedFileException if it has no graph, a name is made twice, or operators wait for
   *     each other
   */
  public static ModelGraph of(String source, ModelProto model) throws MalformedFileException {
    if (!model.hasGraph()) {
      throw new MalformedFileException(source, "has no graph, expected an ONNX model");
    }
    return new GraphAssembly(source, model).build();
  }

  /** {@return the model as it was read} */
  public ModelProto model() {
    return model;
  }

  /** {@return the operators in the order in which they run; task k is operator k} */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /**
   * {@return the values: the graph's inputs as in the file, initializers that are none, then
   * results by task and place in its outputs}
   */
  public List<GraphValue> values() {
    return values;
  }

  /** {@return the value of a name, or empty if there is none} */
  public Optional<GraphValue> value(String name) {
    return Optional.ofNullable(indices.get(name)).map(values::get);
  }

  /** {@return the values that the caller of the model sees, in the order of the file} */
  public List<GraphValue> outputs() {
    return model.getGraph().getOutputList().stream()
        .map(output -> value(output.getName()).orElseThrow())
        .distinct()
        .toList();
  }

  /** {@return what a user should know of how the graph was read, a sentence each} */
  public List<String> notes() {
    return notes;
  }
}
