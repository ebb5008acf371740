package dev.stowage.onnx;

import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.List;

/**
 * The main graph of a model as a planning problem for all shapes of ranges.
 *
 * @param problem a record for each planned value, in the order of their first tasks
 * @param tensors the tensor of each record
 * @param nodes the operators in the order in which they run; task k is operator k
 * @param notes sentences for the user, for example on values that are not planned
 */
public record SymbolicOnnxProblem(
    SymbolicProblem problem,
    List<PlannedTensor<SizeExpression>> tensors,
    List<OnnxNode> nodes,
    List<String> notes) {

  /** Creates a problem with a tensor for every record. */
  public SymbolicOnnxProblem {
    tensors = List.copyOf(tensors);
    nodes = List.copyOf(nodes);
    notes = List.copyOf(notes);
  }
}
