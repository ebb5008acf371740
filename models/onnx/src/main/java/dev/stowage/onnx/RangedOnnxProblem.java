package dev.stowage.onnx;

import dev.stowage.plan.shapes.RangedProblem;
import java.util.List;

/**
 * The main graph of a model as a planning problem for ranges of dimensions, with sizes that were
 * inferred at some shapes.
 *
 * @param problem a record for each value that is planned at one of the shapes
 * @param tensors the tensor of each record, with the type that has most bytes
 * @param nodes the operators in execution order; task k is operator k
 * @param notes sentences for the user, for example on values that are not planned
 */
public record RangedOnnxProblem(
    RangedProblem problem, List<PlannedTensor> tensors, List<OnnxNode> nodes, List<String> notes) {

  /** Creates a problem with a tensor for every record. */
  public RangedOnnxProblem {
    tensors = List.copyOf(tensors);
    nodes = List.copyOf(nodes);
    notes = List.copyOf(notes);
  }
}
