package dev.stowage.tflite.model;

import java.util.List;
import java.util.Optional;

/**
 * An operator of a subgraph, as TensorFlow Lite Micro executes it.
 *
 * @param kind the kind
 * @param inputs the tensors that it reads, without omitted ones
 * @param outputs the tensors that it writes
 * @param calledSubgraphs the subgraphs that it executes, in order
 * @param transposed the inputs that the kernel keeps transposed copies of in the tail
 * @param variable the name of the variable if it returns the handle of one; empty for other
 *     operators
 * @param convolution the options of a convolution; empty for other operators
 */
public record ModelOperator(
    OperatorKind kind,
    List<Integer> inputs,
    List<Integer> outputs,
    List<Integer> calledSubgraphs,
    List<Integer> transposed,
    String variable,
    Optional<Convolution> convolution) {

  public ModelOperator {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    calledSubgraphs = List.copyOf(calledSubgraphs);
    transposed = List.copyOf(transposed);
  }
}
