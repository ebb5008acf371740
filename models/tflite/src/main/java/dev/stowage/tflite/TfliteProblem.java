package dev.stowage.tflite;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUses;
import java.util.List;

/**
 * The main subgraph of a model as a planning problem.
 *
 * @param problem a record for each planned tensor, in the order of their first tasks
 * @param tensors the tensor of each record
 * @param uses the operators that compute and read each tensor
 * @param kinds the kind of each operator, such as {@code CONV_2D}, or the name of a custom one;
 *     task k is operator k
 * @param notes sentences on tensors that are not planned
 */
public record TfliteProblem(
    PlanProblem problem,
    List<TfliteTensor> tensors,
    List<TensorUses> uses,
    List<String> kinds,
    List<String> notes) {

  /** Creates a problem. */
  public TfliteProblem {
    tensors = List.copyOf(tensors);
    uses = List.copyOf(uses);
    kinds = List.copyOf(kinds);
    notes = List.copyOf(notes);
  }

  /** {@return the number of operators that read each tensor} */
  public List<Integer> reads() {
    return uses.stream().map(uses -> uses.consumers().size()).toList();
  }

  /** {@return the number of tasks} */
  public int operatorCount() {
    return kinds.size();
  }
}
