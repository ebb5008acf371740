package dev.stowage.onnx;

import dev.stowage.plan.TensorUses;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.List;

/**
 * The main graph of a model as a planning problem for all shapes of ranges.
 *
 * @param problem a record for each planned value, in the order of their first tasks
 * @param names the name of the value of each record; if values share a record, that of the first
 * @param types the type of the value of each record
 * @param views the other values that share each record, as views of the first or of each other;
 *     none without {@link OnnxOptions#withAliases()}
 * @param uses the operators that compute and read each record. Operators that make the views of a
 *     record are not among them
 * @param nodes the operators in the order in which they run; task k is operator k
 * @param notes sentences for the user, for example on values that are not planned
 */
public record SymbolicOnnxProblem(
    SymbolicProblem problem,
    List<String> names,
    List<SymbolicTensorType> types,
    List<List<OnnxView>> views,
    List<TensorUses> uses,
    List<OnnxNode> nodes,
    List<String> notes) {

  /** Creates a problem with a name for every record. */
  public SymbolicOnnxProblem {
    names = List.copyOf(names);
    types = List.copyOf(types);
    views = views.stream().map(List::copyOf).toList();
    uses = List.copyOf(uses);
    nodes = List.copyOf(nodes);
    notes = List.copyOf(notes);
  }

  /** {@return the number of operators that read each record, without those that make its views} */
  public List<Integer> reads() {
    return uses.stream().map(uses -> uses.consumers().size()).toList();
  }

  /** {@return the number of tasks} */
  public int operatorCount() {
    return nodes.size();
  }
}
