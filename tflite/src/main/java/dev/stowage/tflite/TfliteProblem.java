package dev.stowage.tflite;

import dev.stowage.core.plan.PlanProblem;
import java.util.List;

/**
 * The memory that a model's main subgraph needs, as a planning problem.
 *
 * @param problem a record for each planned tensor, in the order of their first tasks
 * @param tensors the tensor of each record
 * @param operatorCount how many tasks there are: task k is operator k
 * @param notes what was left out and why, a sentence each
 */
public record TfliteProblem(
    PlanProblem problem, List<TfliteTensor> tensors, int operatorCount, List<String> notes) {

  /** A problem with a tensor for every record. */
  public TfliteProblem {
    tensors = List.copyOf(tensors);
    notes = List.copyOf(notes);
  }
}
