package dev.stowage.onnx;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUses;
import dev.stowage.plan.incremental.OperatorGraph;
import java.util.List;

/**
 * The main graph of a model as a planning problem.
 *
 * @param problem a record for each planned value, in the order of their first tasks
 * @param names the name of the value of each record; if values share a record, that of the first
 * @param types the type of the value of each record
 * @param views the other values that share each record, as views of the first or of each other;
 *     none without {@link OnnxOptions#withAliases()}
 * @param uses the operators that compute and read each record. Operators that make the views of a
 *     record are not among them
 * @param nodes the operators in the order in which they run; task k is operator k
 * @param operators the operators in the order of their tasks, for a search over their orders; it
 *     ignores the pairs of records in place of others
 * @param places the index of each operator in the file
 * @param notes sentences for the user, for example on values that are not planned
 */
public record OnnxProblem(
    PlanProblem problem,
    List<String> names,
    List<OnnxTensorType> types,
    List<List<OnnxView>> views,
    List<TensorUses> uses,
    List<OnnxNode> nodes,
    OperatorGraph operators,
    List<Integer> places,
    List<String> notes) {

  /** Creates a problem with a name for every record. */
  public OnnxProblem {
    names = List.copyOf(names);
    types = List.copyOf(types);
    views = views.stream().map(List::copyOf).toList();
    uses = List.copyOf(uses);
    nodes = List.copyOf(nodes);
    places = List.copyOf(places);
    notes = List.copyOf(notes);
  }

  /** {@return the number of operators that read each record, without those that make its views} */
  public List<Integer> reads() {
    return uses.stream().map(uses -> uses.consumers().size()).toList();
  }

  /** {@return the number of tasks; task k is operator k} */
  public int operatorCount() {
    return places.size();
  }

  /**
   * {@return an order of the operators for {@link OnnxOptions#withOrder}}
   *
   * @param tasks the operators by their tasks in this problem, such as {@link
   *     dev.stowage.plan.search.OrderSearchResult#operators}
   */
  public List<Integer> orderInFile(List<Integer> tasks) {
    return tasks.stream().map(places::get).toList();
  }
}
