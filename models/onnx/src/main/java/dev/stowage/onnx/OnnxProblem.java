package dev.stowage.onnx;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import java.util.List;

/**
 * The main graph of a model as a planning problem.
 *
 * @param problem a record for each planned value, in the order of their first tasks
 * @param tensors the tensor of each record
 * @param nodes the operators in execution order; task k is operator k
 * @param operators the operators in the order of their tasks, for a search over their orders; it
 *     ignores the pairs of records in place of others
 * @param notes sentences for the user, for example on values that are not planned
 */
public record OnnxProblem(
    PlanProblem problem,
    List<PlannedTensor> tensors,
    List<OnnxNode> nodes,
    OperatorGraph operators,
    List<String> notes) {

  /** Creates a problem with a tensor for every record. */
  public OnnxProblem {
    tensors = List.copyOf(tensors);
    nodes = List.copyOf(nodes);
    notes = List.copyOf(notes);
  }

  /**
   * {@return an order of the operators for {@link OnnxOptions#withOrder}}
   *
   * @param tasks the operators by their tasks in this problem, such as {@link
   *     dev.stowage.plan.search.OrderSearchResult#operators}
   */
  public List<Integer> orderInFile(List<Integer> tasks) {
    return tasks.stream().map(task -> nodes.get(task).index()).toList();
  }
}
