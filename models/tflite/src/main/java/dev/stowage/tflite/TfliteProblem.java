package dev.stowage.tflite;

import dev.stowage.plan.PlanProblem;
import java.util.List;

/**
 * The main subgraph of a model as a planning problem.
 *
 * @param problem a record for each planned tensor, in the order of their first tasks
 * @param tensors the tensor of each record
 * @param kinds the kind of each operator, such as {@code CONV_2D}, or the name of a custom one;
 *     task k is operator k
 * @param notes sentences on tensors that are not planned
 */
public record TfliteProblem(
    PlanProblem problem, List<TfliteTensor> tensors, List<String> kinds, List<String> notes) {

  /** Creates a problem. */
  public TfliteProblem {
    tensors = List.copyOf(tensors);
    kinds = List.copyOf(kinds);
    notes = List.copyOf(notes);
  }
}
