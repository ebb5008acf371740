package dev.stowage.onnx.profile;

import dev.stowage.onnx.profile.ProfiledOperator.Tensors;
import java.util.List;
import java.util.OptionalLong;

/**
 * The runs of a profile in which all tensors had the same shapes.
 *
 * @param operators the operators of the main graph, in the order of execution
 * @param count the number of the runs
 * @param outputBytes the bytes of the outputs of all operators
 */
public record ProfiledRun(List<Operator> operators, long count, long outputBytes) {

  /** Creates a run. */
  public ProfiledRun {
    operators = List.copyOf(operators);
  }

  /**
   * An operator of a run.
   *
   * @param name the name of the operator, or its type and its index in the session's graph
   * @param type the type of the operator, without its domain
   * @param tensors the types of its tensors
   * @param outputBytes the bytes of its outputs
   * @param workspaceLimit the most bytes of workspace that it can have had: the smallest difference
   *     of the arena's peak so far and the bytes in use after the operator; empty if it is unknown
   */
  public record Operator(
      String name, String type, Tensors tensors, long outputBytes, OptionalLong workspaceLimit) {}
}
