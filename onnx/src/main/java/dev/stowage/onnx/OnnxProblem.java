package dev.stowage.onnx;

import dev.stowage.core.plan.PlanProblem;
import java.util.List;

/**
 * The memory that a model's main graph needs, as a planning problem.
 *
 * @param problem a record for each planned value, in the order of their first tasks
 * @param names the name of each record's value; of values that share one, that of the first
 * @param views the names of the others that share each record, as views of the first or of each
 *     other; none without {@link OnnxOptions#withAliases()}
 * @param operatorCount how many tasks there are: task k is operator k
 * @param notes what a user should know, such as values left out and why, a sentence each
 */
public record OnnxProblem(
    PlanProblem problem,
    List<String> names,
    List<List<String>> views,
    int operatorCount,
    List<String> notes) {

  /** A problem with a name for every record. */
  public OnnxProblem {
    names = List.copyOf(names);
    views = views.stream().map(List::copyOf).toList();
    notes = List.copyOf(notes);
  }
}
