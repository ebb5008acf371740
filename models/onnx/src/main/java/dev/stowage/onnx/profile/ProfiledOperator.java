package dev.stowage.onnx.profile;

import dev.stowage.onnx.graph.ValueType;
import java.util.List;
import java.util.Optional;

/**
 * The execution of an operator in a profile.
 *
 * @param name the name of the operator, or its type and its index in the session's graph
 * @param type the type of the operator, without its domain
 * @param tensors the types of its tensors
 * @param outputBytes the bytes of its outputs
 * @param arena the arena after the execution; empty for a session without an arena
 */
public record ProfiledOperator(
    String name, String type, Tensors tensors, long outputBytes, Optional<ArenaStatistics> arena) {

  /**
   * The types of the tensors of an operator.
   *
   * @param inputs the inputs, without those that the session lacks: absent ones, values other than
   *     tensors, and weights that the kernel has packed
   * @param outputs the outputs that are tensors
   */
  public record Tensors(List<ValueType.Tensor> inputs, List<ValueType.Tensor> outputs) {

    /** Creates types. */
    public Tensors {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * The statistics of the session's arena after an operator.
   *
   * @param inUseBytes the chunks in use
   * @param deltaBytes the change of the chunks in use during the operator
   * @param peakBytes the most bytes in use since the arena exists
   */
  public record ArenaStatistics(long inUseBytes, long deltaBytes, long peakBytes) {}
}
